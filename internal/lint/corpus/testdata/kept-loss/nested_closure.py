# A step function nested in train() writes to a list of the outer function.
import torch


def train(model, loader, criterion, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
    curve = []

    def step(x, y):
        def closure():
            optimizer.zero_grad()
            out = criterion(model(x), y)
            out.backward()
            return out

        loss = optimizer.step(closure)
        curve.append(loss)  # finding: kept-loss

    for _ in range(epochs):
        for x, y in loader:
            step(x, y)
    return [c.item() for c in curve]
