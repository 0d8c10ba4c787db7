import numpy as np
from common import Net, fit

text, tokens, filled = "", None, None
buffer = np.zeros(100000)


def read(step, x, out, loss):
    """Each step has a text and an array of its own, which happen to be longer, and has filled more of a buffer."""
    global text, tokens, filled
    text = "%d" % step * (5000 + 1000 * step)
    tokens = np.full(2000 + 100 * step, step)
    filled = buffer[:2000 + 100 * step]


fit(Net(), read, count=40)
