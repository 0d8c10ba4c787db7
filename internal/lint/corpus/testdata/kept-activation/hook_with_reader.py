# A hook's list is read by its newest entry and never emptied.
import torch


class Watch:
    def __init__(self, model):
        self.features = []
        for m in model.modules():
            m.register_forward_hook(self.keep)

    def keep(self, module, args, out):
        self.features.append(out)  # finding: kept-activation

    def last(self):
        return self.features[-1]


def train(model, loader, opt, crit):
    w = Watch(model)
    for x, y in loader:
        loss = crit(model(x), y) + w.last().pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
