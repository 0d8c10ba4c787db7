# A copy of the weights for each epoch, of which the best is looked for.
import copy
import torch


class Snapshots:
    def __init__(self):
        self.history = []

    def after_epoch(self, model, score):
        self.history.append((score, copy.deepcopy(model.state_dict())))  # finding: kept-state-dict

    def best(self):
        return max(self.history, key=lambda h: h[0])[1]


def fit(model, train_loader, val_loader, optimizer, criterion, epochs=200):
    snaps = Snapshots()
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            score = sum((model(x).argmax(1) == y).float().mean().item() for x, y in val_loader)
        snaps.after_epoch(model, score)
    model.load_state_dict(snaps.best())
