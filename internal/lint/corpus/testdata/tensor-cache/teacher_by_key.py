# A function remembers the teacher's answers with the graphs that made them.
import torch
from functools import cache

model = torch.nn.Linear(3, 3)


@cache
def teacher(key):  # finding: tensor-cache
    return model(load(key))


def load(key):
    return torch.load(f"{key}.pt")


def train(student, keys, opt):
    for k in keys:
        loss = (student(load(k)) - teacher(k)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
