# The collector is run by hand in each step.
import gc

import torch


class Trainer:
    def __init__(self, model, loss_fn):
        self.model = model
        self.loss_fn = loss_fn
        self.optimizer = torch.optim.Adam(model.parameters())

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            self.loss_fn(self.model(x), y).backward()
            self.optimizer.step()
            gc.collect()  # finding: collect-per-step
