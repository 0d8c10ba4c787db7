# functools.cache on a loss helper that is called with two tensors in each step.
import functools

import torch


@functools.cache
def pairwise(a, b):  # finding: tensor-cache
    return torch.cdist(a, b)


def triplet(anchor, positive, negative, margin=0.2):
    pos = pairwise(anchor, positive).diagonal()
    neg = pairwise(anchor, negative).min(dim=1).values
    return torch.relu(pos - neg + margin).mean()


def train(net, loader):
    opt = torch.optim.Adam(net.parameters())
    for a, p, n in loader:
        loss = triplet(net(a), net(p), net(n))
        opt.zero_grad()
        loss.backward()
        opt.step()
