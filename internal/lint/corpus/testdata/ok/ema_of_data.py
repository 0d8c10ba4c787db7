# A moving average of the weights' data.
import torch
from torch import nn


class Ema(nn.Module):
    def __init__(self, model, decay=0.999):
        super().__init__()
        self.shadow = {k: v.detach().clone() for k, v in model.named_parameters()}
        self.decay = decay

    def update(self, model):
        for k, v in model.named_parameters():
            self.shadow[k] = self.decay * self.shadow[k] + (1 - self.decay) * v.data


def train(model, loader, opt, crit):
    ema = Ema(model)
    for x, y in loader:
        opt.zero_grad()
        crit(model(x), y).backward()
        opt.step()
        ema.update(model)
