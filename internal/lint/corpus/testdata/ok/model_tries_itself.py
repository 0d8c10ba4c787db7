# A model runs a dummy forward in its constructor to learn its strides; making one is no evaluation.
import torch
from torch import nn


class Detector(nn.Module):
    def __init__(self, width, size=64):
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv2d(3, width, 3, 2, 1), nn.Conv2d(width, 4, 3, 2, 1)])
        self.stride = size // self.forward(torch.zeros(1, 3, size, size))[-1].shape[-1]

    def forward(self, x):
        y = []
        for layer in self.layers:
            x = layer(x)
            y.append(x)
        return y


def sweep(widths):
    strides = []
    for width in widths:
        model = Detector(width)
        strides.append(model.stride)
    return strides
