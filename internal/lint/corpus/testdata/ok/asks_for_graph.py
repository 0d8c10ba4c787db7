# Whether there is a graph is asked only.
import torch


def bench(model, loader, opt):
    flags = []
    for x in loader:
        out = model(x)
        loss = out.sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        flags.append(out.grad_fn is not None)
        fn = out.grad_fn
        if fn is None:
            raise ValueError("no graph")
