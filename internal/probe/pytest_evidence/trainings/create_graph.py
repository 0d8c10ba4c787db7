import torch
from common import Net, fit


def record(step, x, out, loss):
    leaf = torch.randn(32, 32, requires_grad=True)
    (leaf ** 3).sum().backward(create_graph=True)  # leak


fit(Net(), record)
