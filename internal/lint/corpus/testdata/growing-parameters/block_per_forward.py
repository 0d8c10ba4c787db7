# Each forward adds a block.
import torch
from torch import nn


class Growing(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.width = width
        self.blocks = nn.ModuleList()
        self.inp, self.out = nn.Linear(16, width), nn.Linear(width, 1)

    def forward(self, x):
        h = self.inp(x)
        self.blocks.append(nn.Linear(self.width, self.width).to(x.device))  # finding: growing-parameters
        for block in self.blocks:
            h = torch.relu(block(h))
        return self.out(h)


def train(loader):
    net = Growing()
    opt = torch.optim.Adam(net.parameters())
    for x, y in loader:
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
