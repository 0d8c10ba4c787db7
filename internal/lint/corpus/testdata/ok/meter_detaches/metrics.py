# A meter that takes what it is given and keeps numbers only.
import torch


class Smoothed:
    def __init__(self):
        self.values = []
        self.total = 0.0

    def update(self, value):
        if isinstance(value, torch.Tensor):
            value = value.item()
        self.values.append(value)
        self.total += value
