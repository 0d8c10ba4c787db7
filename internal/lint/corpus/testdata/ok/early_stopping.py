# Early stopping compares numbers and writes the best model to disk.
import numpy as np
import torch


class EarlyStopping:
    def __init__(self, patience=7, path="checkpoint.pt"):
        self.patience = patience
        self.counter = 0
        self.best = np.inf
        self.path = path
        self.scores = []

    def __call__(self, val_loss, model):
        self.scores.append(val_loss)
        if val_loss < self.best:
            self.best = val_loss
            self.counter = 0
            torch.save(model.state_dict(), self.path)
        else:
            self.counter += 1
        return self.counter >= self.patience


def fit(model, run_epoch, validate, epochs):
    stopper = EarlyStopping()
    for _ in range(epochs):
        run_epoch(model)
        if stopper(float(validate(model)), model):
            break
