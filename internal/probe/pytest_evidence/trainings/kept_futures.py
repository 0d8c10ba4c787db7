import torch

from common import Net, fit

futures = []


def record(step, x, out, loss):
    futures.append(torch._C.Future([]))  # leak


fit(Net(), record)
