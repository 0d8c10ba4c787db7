# A linked list that begins anew every hundred steps.
import torch


class Node:
    def __init__(self, value, prev):
        self.value, self.prev = value, prev


def train(model, loader, opt):
    head = None
    for i, x in enumerate(loader):
        loss = model(x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        head = Node(loss, head)
        if i % 100 == 0:
            head = None
