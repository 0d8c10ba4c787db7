# Old style: .data ends the graph as well.
import torch


def train(model, loader, criterion, optimizer):
    total = 0
    curve = []
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.data
        curve.append(loss.data.cpu().numpy())
    return total / len(loader), curve
