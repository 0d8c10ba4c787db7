# A cached method takes a tensor: the cache never hits and keeps each batch and result.
from functools import lru_cache

import torch
from torch import nn


class RelativeBias(nn.Module):
    def __init__(self, heads, buckets=32):
        super().__init__()
        self.table = nn.Embedding(buckets, heads)
        self.buckets = buckets

    @lru_cache(maxsize=None)
    def bias(self, positions):  # finding: tensor-cache
        distance = positions[:, None] - positions[None, :]
        return self.table(distance.abs().clamp(max=self.buckets - 1)).permute(2, 0, 1)

    def forward(self, scores, positions):
        return scores + self.bias(positions)
