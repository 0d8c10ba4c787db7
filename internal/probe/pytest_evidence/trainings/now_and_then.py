"""One output is kept in twenty steps: in one of the longer windows, too seldom for proof."""

from common import Net, fit

samples = []


def keep(step, x, out, loss):
    if step % 20 == 12:
        samples.append(out.detach())


fit(Net(), keep, count=48)
