# Attention maps are filed by layer in lists that nobody empties.
import math
from collections import defaultdict

import torch
from torch import nn

ATTENTION = defaultdict(list)


class SelfAttention(nn.Module):
    def __init__(self, dim, heads, layer):
        super().__init__()
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)
        self.heads = heads
        self.layer = layer

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        attn = (q @ k.transpose(-2, -1) / math.sqrt(d // self.heads)).softmax(dim=-1)
        ATTENTION[self.layer].append(attn)  # finding: kept-activation
        return self.proj((attn @ v).transpose(1, 2).reshape(b, n, d))
