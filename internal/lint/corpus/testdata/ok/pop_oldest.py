# A list with its oldest entry taken out once it is long enough.
import torch


def train(model, loader, criterion, optimizer, window=50):
    losses = []
    grads = []
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        if len(losses) > window:
            losses.pop(0)
        grads.append(model.head.weight.grad.norm())
        grads = grads[-window:]
        if torch.stack(losses).mean() < 1e-3:
            break
