import torch
from torch import nn


class Stream:
    def __init__(self):
        self.read = []

    def __iter__(self):
        return self

    def __next__(self):
        self.read.append(torch.randn(8, 16))  # leak
        return self.read[-1]


def train(steps):
    model = nn.Linear(16, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step, x in enumerate(Stream()):
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()
        if step == steps:
            return


train(40)
