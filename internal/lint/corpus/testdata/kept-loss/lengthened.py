# Lists and tuples that are made longer by making them anew.
import torch


def by_sum(model, loader, optimizer):
    losses = []
    for x in loader:
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses = losses + [loss]  # finding: kept-loss
    return losses


def by_tuple(model, loader, optimizer):
    losses = ()
    for x in loader:
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses = losses + (loss,)  # finding: kept-loss
    return losses


def by_unpacking(model, loader, optimizer):
    losses = []
    for x in loader:
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses = [*losses, loss]  # finding: kept-loss
    return losses
