from common import Net, fit


def collect(value, seen=[]):
    seen.append(value)  # leak
    return seen


fit(Net(), lambda step, x, out, loss: collect(out.detach()))
