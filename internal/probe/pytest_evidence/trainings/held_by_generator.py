from common import Net, fit


def averager():
    values = []
    while True:
        value = yield sum(values, 0.0)
        values.append(value)


average = averager()
next(average)
fit(Net(), lambda step, x, out, loss: average.send(loss.detach()))  # leak
