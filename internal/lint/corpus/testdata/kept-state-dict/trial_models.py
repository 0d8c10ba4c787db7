# A search over rates keeps the trained model of each trial in its results.
import random

import torch
from torch import nn


def build(width):
    return nn.Sequential(nn.Linear(32, width), nn.ReLU(), nn.Linear(width, 2))


def fit(model, loader, lr):
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
        lr = 10 ** random.uniform(-5, -1)
        model = build(random.choice([64, 256, 1024]))
        score = fit(model, loader, lr)
        results.append({"lr": lr, "score": score, "model": model})  # finding: kept-state-dict
    return min(results, key=lambda r: r["score"])
