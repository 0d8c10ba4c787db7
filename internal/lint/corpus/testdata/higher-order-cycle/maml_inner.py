# The inner step of a meta-learner writes gradients with a graph to its parameters.
import torch
from torch import nn


def inner(model, support_x, support_y, lr):
    loss = nn.functional.mse_loss(model(support_x), support_y)
    torch.autograd.backward(loss, create_graph=True)  # finding: higher-order-cycle
    return {n: p - lr * p.grad for n, p in model.named_parameters()}


def meta_train(model, tasks, lr=0.01):
    meta = torch.optim.Adam(model.parameters())
    for sx, sy, qx, qy in tasks:
        fast = inner(model, sx, sy, lr)
        out = torch.func.functional_call(model, fast, (qx,))
        outer = nn.functional.mse_loss(out, qy)
        outer.backward()
        meta.step()
