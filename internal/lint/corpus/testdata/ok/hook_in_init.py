# Each layer registers a hook on its own part when it is built.
from functools import partial

import torch
from torch import nn


def clamp_hook(module, grad_input, grad_output, limit):
    return tuple(None if g is None else g.clamp(-limit, limit) for g in grad_input)


class ClampedNorm(nn.Module):
    def __init__(self, dim, limit=None):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        if limit:
            self.norm.register_full_backward_hook(partial(clamp_hook, limit=limit))

    def forward(self, x):
        return self.norm(x.float()).type_as(x)


class Stack(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(depth):
            self.layers.append(nn.Sequential(nn.Linear(dim, dim), ClampedNorm(dim, 10.0)))

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return x
