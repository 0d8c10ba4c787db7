# The circle through .grad is cut in each step by setting the gradients to None.
import torch


def train(model, loader, criterion, optimizer, lam=0.01):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward(create_graph=True)
        penalty = lam * sum(p.grad.pow(2).sum() for p in model.parameters())
        penalty.backward()
        optimizer.step()
        for p in model.parameters():
            p.grad = None
