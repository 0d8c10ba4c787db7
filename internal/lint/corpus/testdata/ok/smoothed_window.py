# Detached losses in a window.
import torch
from collections import deque


class Smoothed:
    def __init__(self, window=20):
        self.values = deque(maxlen=window)
        self.total, self.count = 0.0, 0

    def update(self, value):
        self.values.append(value)
        self.count += 1

    @property
    def median(self):
        return torch.tensor(list(self.values)).median().item()


def train(model, loader, opt, crit):
    smooth = Smoothed()
    for x, y in loader:
        loss = crit(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        smooth.update(loss.detach())
    print(smooth.median)
