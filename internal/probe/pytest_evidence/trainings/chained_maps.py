from collections import ChainMap

from common import Net, fit

context = ChainMap()


def keep(step, x, out, loss):
    global context
    context = context.new_child({"out": out.detach().clone()})  # leak


fit(Net(), keep)
