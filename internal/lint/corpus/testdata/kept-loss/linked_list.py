# Each loss is an entry of a linked list, which holds the one before.
import torch


class Node:
    def __init__(self, value, prev):
        self.value, self.prev = value, prev


def train(model, loader, opt):
    head = None
    for x in loader:
        loss = model(x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        head = Node(loss, head)  # finding: kept-loss
