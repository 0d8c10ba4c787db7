from collections import deque

import torch


class Windows:
    def __init__(self, length):
        self.length = length
        self.shown = deque(maxlen=4)

    def read(self):
        label = int(torch.randint(0, 3, ()))
        time = torch.arange(self.length) / 32
        return torch.sin((label + 1) * time + torch.rand(())) + 0.5 * torch.randn(self.length), label

    def novel(self, window):
        """Whether the window is far from the latest ones."""
        near = any((window - other).abs().max() < 0.01 for other in self.shown)
        self.shown.append(window)
        return not near
