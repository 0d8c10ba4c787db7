# The helper has no guard of its own; every caller calls it under no_grad.
import torch


def collect_scores(model, loader):
    scores = []
    for x, _ in loader:
        scores.append(model(x).squeeze(1))
    return torch.cat(scores)


def main(model, train_loader, val_loader, criterion, optimizer):
    for epoch in range(20):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            scores = collect_scores(model, val_loader)
        print(epoch, scores.mean().item())
