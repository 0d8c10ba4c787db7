"""Keeps loss and learning rate as numbers."""
import argparse

import torch
from torch import nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=160)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(10, 64), nn.Softplus(), nn.Linear(64, 64), nn.Softplus(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.NAdam(model.parameters(), lr=2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=40)
    train_losses, rates = [], []
    for step in range(args.steps):
        x = torch.rand(128, 10, device=device)
        loss = nn.functional.mse_loss(model(x), x.var(1, keepdim=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        train_losses.append(loss.item())
        rates.append(schedule.get_last_lr()[0])
    print("loss %.4f at rate %.5f" % (train_losses[-1], rates[-1]))


if __name__ == "__main__":
    main()
