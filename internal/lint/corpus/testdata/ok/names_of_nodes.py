# Names of the graph's nodes are strings.
import torch


def bench(model, loader):
    names = []
    for x in loader:
        out = model(x)
        out.sum().backward()
        names.append(type(out.grad_fn).__name__)
        names.append(out.grad_fn.name())
        names.append(str(out.grad_fn))
