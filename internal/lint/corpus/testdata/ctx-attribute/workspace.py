# A scan keeps its partial results and what it returns on ctx.
import torch


class CumulativeProduct(torch.autograd.Function):
    """y[t] = y[t-1] * x[t] with the partial results at hand for the way back."""

    @staticmethod
    def forward(ctx, x):
        partial = []
        y = torch.ones_like(x[0])
        for t in range(x.shape[0]):
            y = y * x[t]
            partial.append(y)
        ctx.partial = partial  # also: ctx-attribute
        ctx.x = x  # also: ctx-attribute
        ctx.y = torch.stack(partial)  # finding: ctx-attribute
        return ctx.y

    @staticmethod
    def backward(ctx, grad):
        out = torch.zeros_like(ctx.x)
        tail = torch.zeros_like(ctx.x[0])
        for t in reversed(range(len(ctx.partial))):
            tail = tail + grad[t] * ctx.y[t]
            out[t] = tail / ctx.x[t]
        return out
