# A home-made batch norm assigns its running statistics from the live batch statistics.
import torch
from torch import nn


class RunningNorm(nn.Module):
    def __init__(self, width, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum = momentum
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(width))
        self.register_buffer("running_mean", torch.zeros(width))
        self.register_buffer("running_var", torch.ones(width))

    def forward(self, x):
        if self.training:
            mean = x.mean(dim=0)
            var = x.var(dim=0, unbiased=False)
            m = self.momentum
            self.running_mean = (1 - m) * self.running_mean + m * mean  # finding: carried-state
            self.running_var = (1 - m) * self.running_var + m * var  # finding: carried-state
        else:
            mean, var = self.running_mean, self.running_var
        return self.weight * (x - mean) / torch.sqrt(var + self.eps)
