from collections import deque

from common import Net, fit

replay = deque()


def record(step, x, out, loss):
    replay.append((x.clone(), out.detach()))  # leak


fit(Net(), record)
