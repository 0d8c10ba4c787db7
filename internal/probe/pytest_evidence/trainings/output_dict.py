from common import Net, fit

outputs = {}


def keep(step, x, out, loss):
    outputs[step] = out.detach()  # leak


fit(Net(), keep)
