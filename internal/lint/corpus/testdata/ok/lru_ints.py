# Caches keyed by numbers: bounded by maxsize.
from functools import lru_cache

import torch
from torch import nn


@lru_cache(maxsize=16)
def causal_mask(size):
    return torch.triu(torch.ones(size, size, dtype=torch.bool), 1)


@lru_cache(maxsize=4)
def sinusoid(length, dim):
    position = torch.arange(length)[:, None]
    rate = torch.exp(torch.arange(0, dim, 2) * (-9.21 / dim))
    return torch.stack([(position * rate).sin(), (position * rate).cos()], -1).flatten(1)


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.attn = nn.MultiheadAttention(dim, 4, batch_first=True)

    def forward(self, x):
        x = x + sinusoid(x.size(1), x.size(2))
        return self.attn(x, x, x, attn_mask=causal_mask(x.size(1)))[0]
