# Mean and variance of detached outputs.
import torch


class Stats:
    def __init__(self):
        self.n, self.mean, self.m2 = 0, 0.0, 0.0

    def update(self, x):
        x = x.detach()
        self.n += 1
        d = x - self.mean
        self.mean = self.mean + d / self.n
        self.m2 = self.m2 + d * (x - self.mean)


def train(model, loader, opt, crit):
    stats = Stats()
    for x, y in loader:
        out = model(x)
        stats.update(out)
        opt.zero_grad()
        crit(out, y).backward()
        opt.step()
