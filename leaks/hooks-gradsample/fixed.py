"""Logistic model with clipped per-sample gradients and a running test accuracy."""
import torch
from torch import nn

from fixed_privacy import GradSample


def data(n, rule, device):
    x = torch.randn(n, 40, device=device)
    return x, (x @ rule > 0).long().squeeze(1)


def test(model, rule, device):
    x, y = data(64, rule, device)
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(40, 48), nn.Tanh(), nn.Linear(48, 2)).to(device)
    sampler = GradSample(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    rule = torch.randn(40, 1, device=device)
    model.train()
    accuracies = []
    for step in range(120):
        x, y = data(32, rule, device)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        sampler.clip(1.0)
        optimizer.step()
        accuracies.append(test(model, rule, device))
    print("accuracy %.3f" % (sum(accuracies[-10:]) / 10))
