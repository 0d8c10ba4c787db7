from common import Net, fit

errors = []


def check(out):
    probabilities = out.softmax(-1)
    if probabilities.max() <= 2:
        raise ValueError("not sharp enough")


def record(step, x, out, loss):
    try:
        check(out)
    except ValueError as error:
        errors.append(error)  # leak


fit(Net(), record)
