# Several losses by name are summed for backward and kept by name.
from collections import defaultdict

import torch


def train(model, loader, optimizer, criterion, epochs=10):
    curves = defaultdict(list)
    for _ in range(epochs):
        for x, y in loader:
            out = model(x)
            losses = {"task": criterion(out, y), "size": out.pow(2).mean()}
            optimizer.zero_grad()
            sum(losses.values()).backward()
            optimizer.step()
            for name, value in losses.items():
                curves[name].append(value)  # finding: kept-loss
    return {name: torch.stack(values).mean().item() for name, values in curves.items()}
