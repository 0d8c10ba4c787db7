# What a step returns is sorted into lists by its names, tensors and all.
import torch
from torch import nn


class Trainer:
    def __init__(self, model, args):
        self.model, self.args = model, args
        self.stats = {k: [] for k in ("loss", "acc", "gnorm")}
        self.opt = torch.optim.Adam(model.parameters(), lr=args.lr)

    def one_batch(self, x, y):
        pred = self.model(x)
        loss = nn.functional.cross_entropy(pred, y)
        self.opt.zero_grad()
        loss.backward()
        gnorm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return dict(loss=loss, acc=(pred.argmax(1) == y).float().mean(), gnorm=gnorm)

    def train(self, loader):
        for x, y in loader:
            for k, v in self.one_batch(x, y).items():
                self.stats[k].append(v)  # finding: kept-loss
