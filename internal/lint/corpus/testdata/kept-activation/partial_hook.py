# Hooks made with functools.partial; each layer's store is a list in a dictionary.
from functools import partial

import torch
from torch import nn


def remember(store, name, module, args, out):
    store.setdefault(name, []).append(out)  # finding: kept-activation


def attach(model: nn.Module):
    store = {}
    for name, module in model.named_modules():
        if isinstance(module, nn.Conv2d):
            module.register_forward_hook(partial(remember, store, name))
    return store


def train(model, loader, loss_fn):
    store = attach(model)
    opt = torch.optim.SGD(model.parameters(), lr=1e-2)
    for x, y in loader:
        opt.zero_grad()
        loss_fn(model(x), y).backward()
        opt.step()
    return {k: len(v) for k, v in store.items()}
