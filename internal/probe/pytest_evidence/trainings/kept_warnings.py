import warnings

from common import Net, fit

warnings.simplefilter("default")


def record(step, x, out, loss):
    warnings.warn("step %d %s" % (step, "x" * 4096))  # leak


fit(Net(), record)
