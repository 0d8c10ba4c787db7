# An optimizer by hand: velocity computed from parameters' gradients that have a graph.
import torch


def meta_step(model, x, y, loss_fn, velocity, lr=0.1, mu=0.9):
    params = list(model.parameters())
    loss = loss_fn(model(x), y)
    grads = torch.autograd.grad(loss, params, create_graph=True)
    for i, g in enumerate(grads):
        velocity[i] = mu * velocity[i] + g  # finding: carried-state
    with torch.no_grad():
        for p, v in zip(params, velocity):
            p -= lr * v
    return loss.item()


def train(model, loader, loss_fn):
    velocity = [torch.zeros_like(p) for p in model.parameters()]
    for x, y in loader:
        meta_step(model, x, y, loss_fn, velocity)
