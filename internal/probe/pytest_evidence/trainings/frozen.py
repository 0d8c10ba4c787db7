import gc

from common import Net, fit

history = []
gc.freeze()
fit(Net(), lambda step, x, out, loss: history.append(out.detach()))  # leak
