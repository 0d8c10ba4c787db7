# A list made longer by numbers, one made anew in each step, and the least of two losses, which is one of them.
import torch


def train(model, loader, optimizer):
    numbers, best = [], None
    for x in loader:
        parts = []
        loss = model(x).square().mean()
        parts = parts + [loss]
        parts = [*parts, loss.sqrt()]
        optimizer.zero_grad()
        sum(parts).backward()
        optimizer.step()
        numbers = numbers + [loss.item()]
        best = loss if best is None else min(best, loss)
    return numbers, best
