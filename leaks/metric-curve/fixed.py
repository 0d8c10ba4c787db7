"""Anomaly detector scored by average precision."""
import torch
from torch import nn

from metrics import AveragePrecision


def points(n, device):
    y = (torch.rand(n, device=device) < 0.2)
    x = torch.randn(n, 30, device=device)
    x[:, 3] += y * x[:, 4].abs() * 2
    return x, y


def main(epochs=4, steps=30):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    ap = AveragePrecision()
    for epoch in range(epochs):
        for _ in range(steps):
            x, y = points(768, device)
            score = model(x).squeeze(1)
            loss = nn.functional.binary_cross_entropy_with_logits(score, y.float())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            ap.update(score.detach().sigmoid(), y)
        print("epoch %d AP %.3f" % (epoch, ap.compute()))
        ap.reset()


main()
