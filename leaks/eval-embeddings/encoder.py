import torch
from torch import nn


class Encoder(nn.Module):
    """Small residual encoder for 24 x 24 grey pictures."""

    def __init__(self, width=16, dim=32):
        super().__init__()
        self.stem = nn.Conv2d(1, width, 3, stride=2, padding=1)
        self.block1 = nn.Conv2d(width, width, 3, padding=1)
        self.block2 = nn.Conv2d(width, width, 3, padding=1)
        self.project = nn.Linear(width, dim)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        x = x + torch.relu(self.block1(x))
        x = x + torch.relu(self.block2(x))
        return nn.functional.normalize(self.project(x.mean((2, 3))), dim=1)
