import os

from common import Net, fit

handed = []


def record(step, x, out, loss):
    handed.append(os.memfd_create("out"))  # leak


fit(Net(), record)
