# A method of the model remembers a projection, with its graph, for each word.
import functools
import torch
from torch import nn


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 8)

    @functools.cache
    def word(self, w):  # finding: tensor-cache
        return self.proj(self.lookup(w))

    def lookup(self, w):
        return torch.randn(8)


def train(model, words, opt):
    for w in words:
        loss = model.word(w).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
