# The hook's list is local and the hook is removed when the block ends.
from contextlib import contextmanager

import torch


@contextmanager
def recording(module):
    outputs = []
    handle = module.register_forward_hook(lambda m, a, out: outputs.append(out))
    try:
        yield outputs
    finally:
        handle.remove()


def train(model, loader, criterion, optimizer):
    for x, y in loader:
        with recording(model.encoder) as feats:
            loss = criterion(model(x), y) + 1e-3 * feats[0].pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
