"""Ranking with a Spearman metric per epoch."""
import torch
from torch import nn


class Spearman:
    def __init__(self):
        self.reset()

    def reset(self):
        self.predictions, self.targets = [], []

    def update(self, prediction, target):
        self.predictions.append(prediction.detach())
        self.targets.append(target)

    def compute(self):
        def ranks(parts):
            values = torch.cat(parts)
            r = values.argsort().argsort().float()
            return (r - r.mean()) / r.std()
        return (ranks(self.predictions) * ranks(self.targets)).mean().item()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer, metric = torch.optim.Adam(model.parameters(), lr=2e-3), Spearman()
    for epoch in range(15):
        for _ in range(15):
            x = torch.randn(256, 20, device=device)
            y = x[:, 0] - x[:, 1] * x[:, 2]
            out = model(x).squeeze(1)
            loss = (out - y).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            metric.update(out, y)
        value = metric.compute()
        metric.reset()
    print("rank correlation %.3f" % value)


main()
