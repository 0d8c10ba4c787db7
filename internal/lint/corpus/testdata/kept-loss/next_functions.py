# What a loss was computed by, for each step.
import torch


class Tracer:
    def __init__(self):
        self.seen = {}

    def fit(self, model, loader, opt, crit):
        for step, (x, y) in enumerate(loader):
            loss = crit(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            self.seen[step] = loss.grad_fn.next_functions  # finding: kept-loss
