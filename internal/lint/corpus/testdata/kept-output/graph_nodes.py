# The node of each output's graph is kept, and through it the whole graph.
import torch


def bench(model, x):
    nodes = []
    for _ in range(1000):
        out = model(x)
        out.sum().backward()
        nodes.append(out.grad_fn)  # finding: kept-output|kept-loss
