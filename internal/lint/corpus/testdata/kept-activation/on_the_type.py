# The same by type(self), and with a second one by self.__class__ that is emptied in each forward.
import torch
from torch import nn


class Attention(nn.Module):
    maps = []
    newest = []

    def __init__(self, size):
        super().__init__()
        self.query = nn.Linear(size, size)

    def forward(self, x):
        weights = (self.query(x) @ x.transpose(-1, -2)).softmax(-1)
        type(self).maps.append(weights)  # finding: kept-activation
        self.__class__.newest.clear()
        self.__class__.newest.append(weights)
        return weights @ x
