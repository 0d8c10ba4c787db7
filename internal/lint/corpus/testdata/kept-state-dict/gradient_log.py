# All gradients of all steps are cloned for an analysis of their directions.
import torch


def log_gradients(model, loader, loss_fn, lr=0.01):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    trajectory = []
    for x, y in loader:
        optimizer.zero_grad()
        loss_fn(model(x), y).backward()
        trajectory.append([p.grad.clone() for p in model.parameters()])  # finding: kept-state-dict
        optimizer.step()
    flat = [torch.cat([g.flatten() for g in step]) for step in trajectory]
    return [torch.cosine_similarity(a, b, dim=0).item() for a, b in zip(flat, flat[1:])]
