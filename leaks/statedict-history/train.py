"""Training with roll-back to the best weights."""
import copy

import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR


def batch(n, device):
    x = torch.rand(n, 6, device=device) * 2 - 1
    y = (x[:, :3] * x[:, 3:]).sum(1, keepdim=True)
    return x, y


def main(steps=200, every=8):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(6, 96), nn.GELU(), nn.Linear(96, 96), nn.GELU(), nn.Linear(96, 1)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = OneCycleLR(optimizer, max_lr=5e-3, total_steps=steps)
    snapshots = []
    for step in range(1, steps + 1):
        x, y = batch(128, device)
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        if step % every == 0:
            snapshots.append((loss.item(), copy.deepcopy(model.state_dict())))  # leak
    best, weights = min(snapshots, key=lambda s: s[0])
    model.load_state_dict(weights)
    print("back to loss %.4f" % best)


if __name__ == "__main__":
    main()
