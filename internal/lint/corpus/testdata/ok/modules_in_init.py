# Layers are appended to lists while the network is built.
import torch
from torch import nn


class UNet(nn.Module):
    def __init__(self, widths=(16, 32, 64)):
        super().__init__()
        self.down = nn.ModuleList()
        self.up = nn.ModuleList()
        previous = 3
        for width in widths:
            self.down.append(nn.Conv2d(previous, width, 3, padding=1))
            previous = width
        for width in reversed(widths):
            self.up.append(nn.Conv2d(previous + width, width, 3, padding=1))
            previous = width
        for i in range(3):
            self.add_module(f"aux{i}", nn.Conv2d(previous, 1, 1))

    def forward(self, x):
        skips = []
        for conv in self.down:
            x = torch.relu(conv(x))
            skips.append(x)
        for conv in self.up:
            x = torch.relu(conv(torch.cat([x, skips.pop()], dim=1)))
        return self.aux0(x) + self.aux1(x) + self.aux2(x)
