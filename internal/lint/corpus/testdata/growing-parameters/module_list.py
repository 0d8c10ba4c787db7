# A forward appends a new layer to its own ModuleList.
import torch
from torch import nn


class Adaptive(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
        self.stem = nn.Linear(dim, dim)
        self.adapters = nn.ModuleList()

    def forward(self, x):
        h = torch.relu(self.stem(x))
        adapter = nn.Linear(self.dim, self.dim)
        self.adapters.append(adapter)  # finding: growing-parameters
        return h + adapter(h)


def train(net, loader, loss_fn):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss_fn(net(x), y).backward()
        optimizer.step()
