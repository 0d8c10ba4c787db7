# A collective notes sizes that came back; they are counts, and marked as not differentiable.
import torch


class AllToAll(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tensor, splits, exchange):
        output, received = exchange(tensor, splits)
        ctx.exchange = exchange
        ctx.received = received
        ctx.mark_non_differentiable(received)
        return output, received

    @staticmethod
    def backward(ctx, grad, _):
        back, _ = ctx.exchange(grad, ctx.received)
        return back, None, None
