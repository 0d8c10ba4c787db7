import numpy as np
from common import Net, fit

curve = np.zeros((1000, 4))


def record(step, x, out, loss):
    global curve
    curve = np.concatenate([curve, out.detach().numpy()])  # leak


fit(Net(), record)
