# Activations on self are overwritten in each forward.
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q = nn.Linear(dim, dim)
        self.k = nn.Linear(dim, dim)
        self.weights = None
        self.features = []

    def forward(self, x):
        self.features = []
        attn = (self.q(x) @ self.k(x).transpose(-1, -2)).softmax(-1)
        self.weights = attn
        y = attn @ x
        self.features.append(y)
        self.features.append(y.mean(1))
        return y


def train(net, loader, criterion, optimizer):
    for x, y in loader:
        loss = criterion(net(x), y) - 0.01 * (net.weights * net.weights.log()).sum(-1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
