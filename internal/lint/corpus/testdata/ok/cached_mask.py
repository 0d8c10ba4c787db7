# A mask for each length, of which there are few.
import torch
from functools import lru_cache


@lru_cache(None)
def causal(n):
    return torch.tril(torch.ones(n, n))


def train(model, loader, opt):
    for x in loader:
        loss = model(x, causal(x.shape[1])).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
