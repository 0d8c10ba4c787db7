# A copy of the weights after each epoch, all of them kept to choose from at the end.
import copy

import torch


def train(model, loaders, criterion, optimizer, num_epochs=100):
    snapshots = []
    for epoch in range(num_epochs):
        model.train()
        for x, y in loaders["train"]:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        correct = 0
        with torch.no_grad():
            for x, y in loaders["val"]:
                correct += (model(x).argmax(1) == y).sum().item()
        snapshots.append((correct, copy.deepcopy(model.state_dict())))  # finding: kept-state-dict
    return max(snapshots, key=lambda s: s[0])[1]
