# A step function returns a float; the variable called loss is no tensor.
import torch


def step(model, optimizer, criterion, batch):
    x, y = batch
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    return float(loss)


def train(model, loader, criterion, optimizer):
    history = []
    total_loss = 0.0
    for batch in loader:
        loss = step(model, optimizer, criterion, batch)
        total_loss += loss
        history.append(loss)
    return total_loss / len(history)
