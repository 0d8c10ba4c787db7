from common import Net, fit

first_rows = []
fit(Net(), lambda step, x, out, loss: first_rows.append((out * 1).detach()[:1]))  # leak
