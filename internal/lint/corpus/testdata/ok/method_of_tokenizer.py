# What encodes is no model.
from torch import nn
import torch


class Tok:
    def encode(self, text):
        return torch.tensor([ord(c) for c in text])


class Net(nn.Module):
    def forward(self, x):
        return x


def data(tok, texts, model):
    model.eval()
    ids = []
    for t in texts:
        ids.append(tok.encode(t))
    return ids
