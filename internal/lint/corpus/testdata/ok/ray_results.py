# A search over rates keeps numbers and settings of its trials, the models go.
import random

import torch
from torch import nn


def trial(loader, lr, width):
    model = nn.Sequential(nn.Linear(32, width), nn.ReLU(), nn.Linear(width, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def search(loader, trials):
    results = []
    for _ in range(trials):
        lr, width = 10 ** random.uniform(-5, -1), random.choice([64, 256])
        results.append({"lr": lr, "width": width, "score": trial(loader, lr, width)})
    return min(results, key=lambda r: r["score"])
