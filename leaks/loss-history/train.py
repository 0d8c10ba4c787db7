"""Fits an MLP to a noisy two-dimensional surface and prints the loss curve."""
import argparse

import torch
from torch import nn


def surface(n, generator):
    x = torch.rand(n, 2, generator=generator) * 4 - 2
    y = torch.sin(3 * x[:, :1]) * torch.cos(2 * x[:, 1:]) + 0.05 * torch.randn(n, 1, generator=generator)
    return x, y


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(2, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.SmoothL1Loss()
    generator = torch.Generator().manual_seed(1)

    curve = []
    for step in range(args.steps):
        x, y = surface(args.batch_size, generator)
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        curve.append(loss)  # leak

    print("mean of the last 20 losses: %.4f" % (float(sum(curve[-20:])) / 20))


if __name__ == "__main__":
    main()
