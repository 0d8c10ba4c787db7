from common import Net, fit

seen = []


def train():
    kept = []
    names = locals()
    names["note"] = "mine"

    def record(step, x, out, loss):
        kept.append(out.detach())  # leak

    fit(Net(), record)
    return sorted(names)


result = train()
