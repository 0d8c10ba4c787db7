# The states of one sequence are linked, and backward goes through them.
import torch


class Node:
    def __init__(self, state, parent):
        self.state, self.parent = state, parent


def train(model, loader, opt):
    for x in loader:
        node = None
        for t in range(8):
            node = Node(model(x[t]), node)
        loss = node.state.mean()
        while node.parent is not None:
            node = node.parent
            loss = loss + node.state.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
