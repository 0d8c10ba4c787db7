# Each entry counts those before it and holds none.
import torch


class Node:
    def __init__(self, value, prev):
        self.value = value
        self.depth = 0 if prev is None else prev.depth + 1


def train(model, loader, opt):
    head = None
    for x in loader:
        loss = model(x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        head = Node(loss, head)
