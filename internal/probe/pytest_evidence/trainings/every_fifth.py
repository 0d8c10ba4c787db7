"""Every fifth step's output is kept."""

from common import Net, fit

samples = []


def keep(step, x, out, loss):
    if step % 5 == 0:
        samples.append(out.detach())  # leak


fit(Net(), keep, count=64)
