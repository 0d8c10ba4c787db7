# Parameter groups are made in loops, before the training.
import torch


def make_optimizer(model, lr, decay=0.9):
    groups = []
    for i, layer in enumerate(reversed(model.layers)):
        groups.append({"params": list(layer.parameters()), "lr": lr * decay**i})
    optimizer = torch.optim.AdamW(groups)
    for head in model.heads:
        optimizer.add_param_group({"params": head.parameters(), "lr": lr * 10})
    return optimizer


def train(model, loader, criterion):
    optimizer = make_optimizer(model, 1e-3)
    lrs = []
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        lrs.append(optimizer.param_groups[0]["lr"])
    return lrs
