"""Implicit layer: y = tanh(y W + x), solved by iteration."""
import torch


class Solve(torch.autograd.Function):
    @staticmethod
    def forward(ctx, fcn, y, x):
        for _ in range(12):
            y = fcn(y, x)
        ctx.fcn = fcn  # leak
        ctx.save_for_backward(y, x)
        return y.clone()

    @staticmethod
    def backward(ctx, grad):
        y, x = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            out = ctx.fcn(y.detach(), x)
        return None, None, torch.autograd.grad(out, x, grad)[0]


class FixedPoint:
    """One problem: remembers its solution for a warm start of the next call."""

    def __init__(self, weight):
        self.weight = weight.detach()
        self.solution = None

    def fcn(self, y, x):
        return torch.tanh(y @ self.weight + x)

    def solve(self, x):
        y = torch.zeros_like(x) if self.solution is None else self.solution.detach()
        self.solution = Solve.apply(self.fcn, y, x)  # leak?
        return self.solution
