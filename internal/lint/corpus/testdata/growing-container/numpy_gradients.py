# Gradients as numpy arrays, one per layer and step.
from collections import defaultdict

import torch

GRADS = defaultdict(list)


def train(model, loader, criterion, optimizer):
    for epoch in range(100):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            for name, p in model.named_parameters():
                GRADS[name].append(p.grad.detach().cpu().numpy().copy())  # finding: growing-container|kept-state-dict
            optimizer.step()
