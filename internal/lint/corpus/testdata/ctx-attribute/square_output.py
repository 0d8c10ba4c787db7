# A function keeps its output on ctx.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * x
        ctx.y = y  # finding: ctx-attribute
        return y

    @staticmethod
    def backward(ctx, grad):
        return 2 * ctx.y.sqrt() * grad


def train(layers, loader, optimizer):
    for x, target in loader:
        h = x
        for layer in layers:
            h = Square.apply(layer(h))
        loss = (h - target).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
