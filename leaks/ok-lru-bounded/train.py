"""Sequence model with cached positional tables for varied lengths."""
import functools
import random

import torch
from torch import nn


@functools.lru_cache(maxsize=32)
def table(length, dim, device):
    position = torch.arange(length, device=device, dtype=torch.float)[:, None]
    rate = torch.exp(-torch.arange(0, dim, 2, device=device) / dim * 9)
    return torch.cat([torch.sin(position * rate), torch.cos(position * rate)], 1)


class Model(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.inp, self.mix, self.out = nn.Linear(1, dim), nn.Linear(dim, dim), nn.Linear(dim, 1)

    def forward(self, x):
        h = self.inp(x[..., None]) + table(x.shape[1], 32, x.device.type)
        return self.out(torch.relu(self.mix(h)).mean(1)).squeeze(1)


def main():
    random.seed(0)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Model().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for _ in range(200):
        x = torch.randn(32, random.randrange(20, 70), device=device)
        loss = (model(x) - x.mean(1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.4f" % loss.item(), table.cache_info())


main()
