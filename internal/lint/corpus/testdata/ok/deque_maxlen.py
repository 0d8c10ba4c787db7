# A window of the last hundred losses: at most a hundred small graphs.
from collections import deque

import torch


def train(model, loader, criterion, optimizer):
    window = deque(maxlen=100)
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        window.append(loss.detach())
        if i % 100 == 0:
            print(torch.stack(list(window)).mean().item())
