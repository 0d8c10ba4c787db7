# update with the same names each time keeps the newest only.
import torch


def train(model, loader, optimizer):
    newest = {}
    for step, x in enumerate(loader):
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        newest.update({"loss": loss, "step": step})
    return newest["loss"].item()
