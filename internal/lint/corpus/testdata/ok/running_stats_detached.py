# Running statistics from detached batch statistics.
import torch
from torch import nn


class Whiten(nn.Module):
    def __init__(self, width, momentum=0.01):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("var", torch.ones(width))

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.mean = (1 - self.momentum) * self.mean + self.momentum * x.mean(0)
            self.var = (1 - self.momentum) * self.var + self.momentum * x.var(0).detach()
        return (x - self.mean) / (self.var + 1e-5).sqrt()
