# A recorder's list is flushed at the end of each epoch.
import torch


class Node:
    def __init__(self, value, prev):
        self.value, self.prev = value, prev


class Recorder:
    def __init__(self):
        self.tail = None

    def add(self, loss):
        self.tail = Node(loss, self.tail)

    def flush(self):
        total = 0
        node, self.tail = self.tail, None
        while node is not None:
            total, node = total + node.value.item(), node.prev
        return total


def train(model, loader, opt, crit):
    rec = Recorder()
    for epoch in range(5):
        for x, y in loader:
            loss = crit(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            rec.add(loss)
        print(rec.flush())
