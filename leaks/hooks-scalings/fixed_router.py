import functools

import torch
from torch import nn


def scale_input(module, args, scaling):
    return (args[0] * scaling,) + tuple(args[1:])


class RoutedModel(nn.Module):
    """Layers whose inputs are scaled by weights that the input chooses."""

    def __init__(self, dim, depth, classes):
        super().__init__()
        self.classifier = nn.Linear(dim, depth)
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth))
        self.out = nn.Linear(dim, classes)

    def forward(self, x):
        handles = []
        weights = torch.softmax(self.classifier(x).detach(), -1) * len(self.layers)
        for i, layer in enumerate(self.layers):
            handles.append(layer.register_forward_pre_hook(functools.partial(scale_input, scaling=weights[:, i:i + 1])))
        for layer in self.layers:
            x = torch.relu(layer(x)) + x
        for handle in handles:
            handle.remove()
        return self.out(x)
