# Weights and optimizer state by epoch in a dictionary on the trainer.
import torch


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.checkpoints = {}

    def train(self, loader, loss_fn, epochs):
        for epoch in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                loss_fn(self.model(x), y).backward()
                self.optimizer.step()
            self.keep(epoch)

    def keep(self, epoch):
        state = {k: v.detach().cpu().clone() for k, v in self.model.state_dict().items()}
        self.checkpoints[epoch] = state  # finding: kept-state-dict
