# Whoever takes the list leaves a new one.
import torch


class Watch:
    def __init__(self, model):
        self.features = []
        model.layer.register_forward_hook(self.keep)

    def keep(self, module, args, out):
        self.features.append(out)

    def take(self):
        got, self.features = self.features, []
        return got


def train(model, loader, opt, crit):
    w = Watch(model)
    for x, y in loader:
        loss = crit(model(x), y) + sum(f.pow(2).mean() for f in w.take())
        opt.zero_grad()
        loss.backward()
        opt.step()
