import itertools

import torch


class ScatterMean(torch.autograd.Function):
    """Mean of neighbour features; index and counts wait for backward in a workspace."""

    workspaces = {}
    numbers = itertools.count()

    @staticmethod
    def forward(ctx, features, source, target, nodes):
        gathered = features[source]
        count = torch.zeros(nodes, device=features.device).index_add_(0, target, torch.ones_like(target, dtype=torch.float))
        out = torch.zeros(nodes, features.shape[1], device=features.device).index_add_(0, target, gathered)
        ctx.key = next(ScatterMean.numbers)
        if ctx.needs_input_grad[0]:
            ScatterMean.workspaces[ctx.key] = (source, target, gathered, count.clamp(min=1))
        return out / count.clamp(min=1)[:, None]

    @staticmethod
    def backward(ctx, grad):
        saved = ScatterMean.workspaces.pop(ctx.key)
        source, target, gathered, count = saved
        weighted = grad[target] / count[target][:, None]
        return torch.zeros(len(count), grad.shape[1], device=grad.device).index_add_(0, source, weighted), None, None, None
