from common import Net, fit

last = {}


def record(step, x, out, loss):
    last["out"] = out
    last["loss"] = loss.item()


fit(Net(), record, count=48)
