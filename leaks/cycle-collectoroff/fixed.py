"""Recursive network over random expression trees."""
import gc
import weakref
import random

import torch
from torch import nn


class Node:
    def __init__(self, value=None):
        self.value = value
        self.children = []
        self.owner = None
        self.state = None

    def add(self, child):
        child.owner = weakref.proxy(self)
        self.children.append(child)
        return child


def grow(depth):
    node = Node()
    if depth == 0:
        node.value = random.randrange(10)
        return node
    node.value = random.randrange(3)
    for _ in range(2):
        node.add(grow(depth - 1))
    return node


def solve(node):
    if not node.children:
        return node.value
    a, b = (solve(c) for c in node.children)
    return (a + b, a - b, max(a, b))[node.value]


class TreeNet(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.leaf = nn.Embedding(10, dim)
        self.operation = nn.Embedding(3, dim)
        self.combine = nn.Linear(3 * dim, dim)
        self.out = nn.Linear(dim, 1)

    def encode(self, node, device):
        if not node.children:
            node.state = self.leaf(torch.tensor([node.value], device=device))
        else:
            parts = [self.encode(c, device) for c in node.children]
            parts.append(self.operation(torch.tensor([node.value], device=device)))
            node.state = torch.tanh(self.combine(torch.cat(parts, 1)))
        return node.state

    def forward(self, tree, device):
        return self.out(self.encode(tree, device)).squeeze()


def main(steps=160):
    random.seed(0)
    torch.manual_seed(0)
    gc.freeze()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = TreeNet().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(steps):
        trees = [grow(3) for _ in range(3)]
        loss = sum((model(t, device) - solve(t) / 10.0) ** 2 for t in trees) / len(trees)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())


if __name__ == "__main__":
    main()
