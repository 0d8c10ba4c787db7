# A history of numbers.
import torch
from collections import defaultdict


class History:
    def __init__(self):
        self.values = defaultdict(list)

    def on_batch_end(self, state):
        for key, value in state.items():
            self.values[key].append(value)


class Runner:
    def __init__(self, model, opt, callbacks):
        self.model, self.opt, self.callbacks = model, opt, callbacks

    def fit(self, loader):
        for x, y in loader:
            pred = self.model(x)
            loss = (pred - y).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            state = {"loss": loss.item(), "mean": pred.mean().item(), "lr": self.opt.param_groups[0]["lr"]}
            for cb in self.callbacks:
                cb.on_batch_end(state)


def main(model, loader):
    Runner(model, torch.optim.SGD(model.parameters(), lr=0.1), [History()]).fit(loader)
