# The old spelling of the region, with fast weights made by an inner loop.
import torch
from torch.cuda import amp


def adapt(weights, x, y, lr=0.1):
    loss = torch.nn.functional.mse_loss(x @ weights, y)
    grad, = torch.autograd.grad(loss, weights)
    return (weights - lr * grad).detach().requires_grad_()


def main(loader, weights, steps):
    with amp.autocast():  # finding: autocast-cache
        for step, (x, y) in zip(range(steps), loader):
            fast = adapt(weights, x, y)
            loss = torch.nn.functional.mse_loss(x @ fast, y)
            loss.backward()
            if step % 100 == 0:
                print(loss.item())
