# An autocast region around an evaluation: fixed weights, one copy of each.
import torch


@torch.no_grad()
def evaluate(model, loader, criterion):
    total = 0.0
    with torch.autocast("cuda", dtype=torch.bfloat16):
        for x, y in loader:
            total += criterion(model(x), y).item()
    return total / len(loader)


def main(model, train_step, loaders, criterion, epochs):
    for epoch in range(epochs):
        for batch in loaders[0]:
            train_step(model, batch)
        print(evaluate(model, loaders[1], criterion))
