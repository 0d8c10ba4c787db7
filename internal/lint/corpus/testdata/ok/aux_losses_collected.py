# Layers leave auxiliary losses in a list that each step takes out and clears.
import torch
from torch import nn

AUX = []


class Router(nn.Module):
    def __init__(self, dim, experts):
        super().__init__()
        self.gate = nn.Linear(dim, experts)

    def forward(self, x):
        probs = self.gate(x).softmax(-1)
        AUX.append(probs.mean((0, 1)).pow(2).sum())
        return probs


def pop_aux():
    total = sum(AUX)
    AUX.clear()
    return total


def train(model, loader, criterion, optimizer):
    for x, y in loader:
        loss = criterion(model(x), y) + 0.01 * pop_aux()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
