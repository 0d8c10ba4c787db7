# A linked list of losses without their graphs, whose head moves on.
import torch
import torch.nn as nn


class Link:
    def __init__(self, loss):
        self.loss = loss
        self.next = None


class Window:
    def __init__(self, size):
        self.head = self.tail = None
        self.n, self.size = 0, size

    def add(self, loss):
        link = Link(loss)
        if self.head is None:
            self.head = self.tail = link
        else:
            self.tail.next = link
            self.tail = link
        self.n += 1
        if self.n > self.size:
            self.head = self.head.next
            self.n -= 1


def main(loader):
    model = nn.Linear(8, 1)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    log = Window(10)
    for x, y in loader:
        loss = (model(x) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.add(loss.detach())
