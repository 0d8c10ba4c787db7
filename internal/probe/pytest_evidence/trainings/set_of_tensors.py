from common import Net, fit

seen = set()
fit(Net(), lambda step, x, out, loss: seen.add(out.detach()))  # leak
