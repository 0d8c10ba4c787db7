from common import Net, fit

stats = {"loss": 0.0, "steps": 0}


def record(step, x, out, loss):
    stats["loss"] += loss  # leak
    stats["steps"] += 1


fit(Net(), record)
