import gc

import torch
from common import Net, fit


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * 2
        ctx.y = y  # leak
        return y

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


class Scaled(Net):
    def forward(self, x):
        return Scale.apply(super().forward(x))


gc.disable()
fit(Scaled())
