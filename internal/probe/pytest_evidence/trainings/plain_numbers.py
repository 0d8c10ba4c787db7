from common import Net, fit

curve = []


def record(step, x, out, loss):
    curve.extend(out.flatten().tolist())  # leak


fit(Net(), record)
