# A scope for each step, which is left for its parent.
import torch


class Scope:
    def __init__(self, parent=None):
        self.parent = parent
        self.values = {}


def train(model, loader, opt, crit):
    scope = Scope()
    for x, y in loader:
        scope = Scope(scope)
        loss = crit(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        scope.values["loss"] = loss.item()
        scope = scope.parent
