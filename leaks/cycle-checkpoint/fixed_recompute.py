"""Activation recomputation: forward without graph, and once more in backward."""
import torch


class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, x):
        ctx.run = run
        ctx.save_for_backward(x)
        with torch.no_grad():
            return run(x)

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad():
            out = ctx.run(x)
        torch.autograd.backward(out, grad)
        return None, x.grad


def segment(layer, x):
    box = {"calls": 0}

    def run(value):
        box["calls"] += 1
        return layer(value)

    return Recompute.apply(run, x)
