import functools

from common import Net, fit


@functools.lru_cache(maxsize=None)
def normalised(x):
    return x / x.norm()


fit(Net(), lambda step, x, out, loss: normalised(x.clone()))  # leak
