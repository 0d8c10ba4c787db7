# MAML with autograd.grad: the inner graphs end with the outer backward of the step.
import torch
import torch.nn.functional as F


def adapt(model, params, x, y, steps, lr):
    for _ in range(steps):
        loss = F.cross_entropy(model.functional_forward(x, params), y)
        grads = torch.autograd.grad(loss, params, create_graph=True)
        params = [p - lr * g for p, g in zip(params, grads)]
    return params


def meta_step(model, tasks, optimizer, lr=0.4):
    outer = []
    for sx, sy, qx, qy in tasks:
        fast = adapt(model, list(model.parameters()), sx, sy, 5, lr)
        outer.append(F.cross_entropy(model.functional_forward(qx, fast), qy))
    loss = torch.stack(outer).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def train(model, batches):
    optimizer = torch.optim.Adam(model.parameters())
    history = [meta_step(model, tasks, optimizer) for tasks in batches]
    return history
