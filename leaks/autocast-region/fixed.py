"""Mixed precision with a fresh linear probe per task."""
import torch
import torch.nn.functional as F
from torch import nn


def head_loss(trunk, weight, x, y):
    features = trunk(x)
    return F.cross_entropy(F.linear(features, weight).float(), y)


def main(steps=120):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    trunk = nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU()).to(device)
    optimizer = torch.optim.SGD(trunk.parameters(), lr=0.05)
    if True:
        for step in range(steps):
            weight = nn.Parameter(torch.randn(128, 48, device=device) * 0.1)
            y = torch.randint(0, 128, (64,), device=device)
            x = torch.randn(64, 24, device=device)
            x[:, 0] = y / 64.0
            with torch.autocast(device, dtype=torch.bfloat16):
                loss = head_loss(trunk, weight, x, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print("loss %.3f" % loss.item())


main()
