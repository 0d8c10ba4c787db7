# Validation in eval mode, gradients on, and the losses of all its batches in a list.
import torch
from torch import nn


def validate(model, loader, criterion, device):
    model.eval()
    val_losses = []
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        out = model(x)  # finding: grad-in-evaluation
        val_losses.append(criterion(out, y))
    model.train()
    return torch.stack(val_losses).mean()


def main(model, train_loader, val_loader, device):
    opt = torch.optim.Adam(model.parameters())
    criterion = nn.CrossEntropyLoss()
    best = 1e9
    for epoch in range(50):
        for x, y in train_loader:
            opt.zero_grad()
            criterion(model(x.to(device)), y.to(device)).backward()
            opt.step()
        best = min(best, validate(model, val_loader, criterion, device).item())
