import torch
from common import Net, fit

lists = {name: [] for name in ("first", "second", "third", "fourth", "fifth", "sixth")}


def record(step, x, out, loss):
    for kept in lists.values():
        kept.append(torch.randn(8, 16))  # leak


fit(Net(), record)
