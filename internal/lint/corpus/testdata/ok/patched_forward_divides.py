# A forward in the place of a layer's keeps nothing.
import torch
from torch import nn


def add_norm(layer):
    original = layer.forward

    def forward(x):
        out = original(x)
        return out / out.norm()
    layer.forward = forward


def train(model, loader, opt, crit):
    add_norm(model)
    for x, y in loader:
        opt.zero_grad()
        crit(model(x), y).backward()
        opt.step()
