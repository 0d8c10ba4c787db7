# A memory is written in each forward with the graph of all writes before.
import torch
from torch import nn


class Memory(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.register_buffer("mem", torch.zeros(n, d))
        self.gate = nn.Linear(d, d)

    def forward(self, x):
        w = (x @ self.mem.t()).softmax(-1)
        self.mem = self.mem + 0.01 * w.t() @ self.gate(x)  # finding: carried-state|summed-loss
        return w @ self.mem


def train(model, loader, opt):
    for x, y in loader:
        loss = (model(x) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)  # also: retained-graph
        opt.step()
