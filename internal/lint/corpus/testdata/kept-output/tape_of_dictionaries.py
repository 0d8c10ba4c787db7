# A tape whose newest entry holds the one before.
import torch


class Tape:
    def __init__(self):
        self.last = None

    def record(self, name, tensor):
        self.last = {"name": name, "tensor": tensor, "before": self.last}  # finding: kept-output


def train(model, loader, opt, crit):
    tape = Tape()
    for x, y in loader:
        out = model(x)
        tape.record("out", out)
        loss = crit(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
