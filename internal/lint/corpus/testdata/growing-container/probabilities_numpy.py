# Softmax outputs of each training batch end up in a list on the trainer, as arrays.
import numpy as np
import torch


class Calibrator:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.probs = []

    def train_batch(self, x, y):
        logits = self.model(x)
        loss = torch.nn.functional.cross_entropy(logits, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.probs.append(logits.softmax(1).detach().cpu().numpy())  # finding: growing-container|kept-output

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for x, y in loader:
                self.train_batch(x, y)
        return np.concatenate(self.probs).max(1).mean()
