# Norms of gradients have no graph; they are kept as numbers, one for each step.
import torch


def total_norm(parameters):
    norms = [p.grad.detach().norm(2) for p in parameters if p.grad is not None]
    return torch.stack(norms).norm(2).item()


def train(model, loader, criterion, optimizer):
    history = []
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        history.append(total_norm(model.parameters()))
        clipped = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        print(float(clipped))
    return history
