# The losses of an epoch are linked, and one backward goes through them.
import torch


class Node:
    def __init__(self, value, prev):
        self.value, self.prev = value, prev


def epoch(model, loader, opt):
    model.train()
    head = None
    for x in torch.utils.data.DataLoader(loader):
        head = Node(model(x).mean(), head)
    loss = 0
    while head is not None:
        loss = loss + head.value
        head = head.prev
    opt.zero_grad()
    loss.backward()
    opt.step()
