# Sums by name in a dictionary; the values of the criterion's dictionary have graphs.
from collections import defaultdict

import torch


class Criterion(torch.nn.Module):
    def forward(self, out, target):
        return {
            "l1": (out - target).abs().mean(),
            "l2": (out - target).pow(2).mean(),
        }


def train(model, loader, optimizer, epochs):
    criterion = Criterion()
    for epoch in range(epochs):
        sums = defaultdict(float)
        for x, target in loader:
            parts = criterion(model(x), target)
            loss = sum(parts.values())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            for name, value in parts.items():
                sums[name] += value  # finding: summed-loss
        print(epoch, {k: float(v) / len(loader) for k, v in sums.items()})
