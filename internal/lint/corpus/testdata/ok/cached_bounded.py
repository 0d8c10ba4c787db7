# The cache of a method has a bound.
import torch
from functools import lru_cache


class Encoder:
    def __init__(self, model):
        self.model = model

    @lru_cache(maxsize=64)
    def encode(self, text):
        return self.model(text)


def train(enc, loader, opt):
    for t in loader:
        loss = enc.encode(t).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
