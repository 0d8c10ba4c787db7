# Attention maps go to a list of the class.
import torch
from torch import nn


class Attention(nn.Module):
    maps = []

    def __init__(self, size):
        super().__init__()
        self.query = nn.Linear(size, size)

    def forward(self, x):
        weights = (self.query(x) @ x.transpose(-1, -2)).softmax(-1)
        Attention.maps.append(weights)  # finding: kept-activation
        return weights @ x
