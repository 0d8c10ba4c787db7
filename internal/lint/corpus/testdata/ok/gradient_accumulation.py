# Gradient accumulation: each part has its own backward, only numbers are summed.
import torch


def train(model, loader, criterion, optimizer, every=8):
    optimizer.zero_grad()
    shown = 0.0
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y) / every
        loss.backward()
        shown += loss.item()
        if (i + 1) % every == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            print(shown)
            shown = 0.0
