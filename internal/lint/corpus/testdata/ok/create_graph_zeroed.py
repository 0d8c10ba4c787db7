# A penalty on the weights' gradients through .grad: zero_grad at the beginning of each step cuts the circle.
import torch


def train(model, loader, criterion, lam=0.1):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for x, y in loader:
        model.zero_grad()
        loss = criterion(model(x), y)
        loss.backward(create_graph=True)
        norm = sum((p.grad ** 2).sum() for p in model.parameters())
        (lam * norm).backward()
        optimizer.step()
