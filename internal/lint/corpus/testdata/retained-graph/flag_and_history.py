# retain_graph was added to silence an error; the kept losses now hold whole forwards.
import torch


def train(model, loader, criterion, optimizer):
    history = []
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward(retain_graph=True)  # finding: retained-graph
        optimizer.step()
        history.append(loss)  # also: kept-loss
    return history
