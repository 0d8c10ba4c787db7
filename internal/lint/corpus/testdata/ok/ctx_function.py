# A function on ctx for backward: the output is handed on, and kept without its graph for a warm start.
import torch


class Implicit(torch.autograd.Function):
    @staticmethod
    def forward(ctx, step, x):
        ctx.step = step
        y = x
        for _ in range(10):
            y = step(y)
        ctx.save_for_backward(y)
        return y.clone()

    @staticmethod
    def backward(ctx, grad):
        y = ctx.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad():
            out = ctx.step(y)
        return None, torch.autograd.grad(out, y, grad)[0]


class Layer:
    def __init__(self, weight):
        self.weight, self.start, self.steps = weight, None, 0

    def step(self, y):
        self.steps += 1
        return torch.tanh(y @ self.weight)

    def __call__(self, x):
        y = Implicit.apply(self.step, x if self.start is None else self.start + x)
        self.start = y.detach()
        return y
