# A network keeps the features of each block of each forward in a list of its own.
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width=64, depth=4):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.features = []

    def forward(self, x):
        for block in self.blocks:
            x = torch.relu(block(x))
            self.features.append(x)  # finding: kept-activation
        return x


def train(loader):
    net = Encoder()
    opt = torch.optim.Adam(net.parameters())
    for x, y in loader:
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
