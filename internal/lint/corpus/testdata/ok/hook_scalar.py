# A hook that notes one number a step.
import torch


class Stats:
    def __init__(self):
        self.std = []

    def __call__(self, module, inputs, output):
        self.std.append(output.detach().std().item())


def train(model, loader, criterion, optimizer):
    stats = [Stats() for _ in model.layers]
    for layer, s in zip(model.layers, stats):
        layer.register_forward_hook(s)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    return [s.std[-1] for s in stats]
