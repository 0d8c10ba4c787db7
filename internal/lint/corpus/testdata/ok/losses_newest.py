# Numbers are listed, and the mean of the newest is printed.
import torch
import torch.nn as nn


def train(model: nn.Module, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for epoch in range(10):
        for x, y in loader:
            loss = (model(x) - y).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        print(sum(losses[-100:]) / 100)
