# no_grad entered by an ExitStack and by a context chosen at run time.
import contextlib

import torch


def run(model, loader, criterion, optimizer=None):
    training = optimizer is not None
    model.train(training)
    total = 0.0
    guard = contextlib.nullcontext() if training else torch.no_grad()
    with contextlib.ExitStack() as stack:
        stack.enter_context(guard)
        for x, y in loader:
            loss = criterion(model(x), y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item()
    return total / len(loader)
