from collections import deque

from common import Net, fit

recent = deque(maxlen=100)


def record(step, x, out, loss):
    recent.append(out.detach())  # leak


fit(Net(), record)
