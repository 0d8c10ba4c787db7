import torch
from common import Net, fit


class Tracked(Net):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(4))

    def forward(self, x):
        out = super().forward(x)
        self.mean = 0.9 * self.mean + 0.1 * out.mean(0)  # leak
        return out


fit(Tracked())
