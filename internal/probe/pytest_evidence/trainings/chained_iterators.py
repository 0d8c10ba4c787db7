import itertools

from common import Net, fit

stream = iter(())


def keep(step, x, out, loss):
    global stream
    stream = itertools.chain(stream, [out.detach().clone()])  # leak


fit(Net(), keep)
