# What backward needs is saved by save_for_backward.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        ctx.scale = scale
        ctx.shape = x.shape
        return scale * x * x

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return 2 * ctx.scale * x * grad.reshape(ctx.shape), None


def train(layers, loader, optimizer):
    for x, target in loader:
        h = x
        for layer in layers:
            h = Square.apply(layer(h), 0.5)
        loss = (h - target).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
