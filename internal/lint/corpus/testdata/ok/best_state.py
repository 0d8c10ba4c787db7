# One copy of the weights, overwritten whenever a better one is found; the rest goes to disk.
import copy

import torch


def fit(model, loaders, criterion, optimizer, epochs):
    best, best_state = float("inf"), None
    for epoch in range(epochs):
        for x, y in loaders["train"]:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            val = sum(criterion(model(x), y).item() for x, y in loaders["val"])
        if val < best:
            best = val
            best_state = copy.deepcopy(model.state_dict())
        torch.save({"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, f"ckpt_{epoch}.pt")
    model.load_state_dict(best_state)
    return best
