import torch
from torch import nn

from fixed_miner import Miner


def make_batch(n, dim, device):
    x = torch.randn(n, dim, device=device)
    y = ((x[:, :8] ** 2).sum(1) > 8).long()
    return x, y


def step(model, optimizer, x, y):
    losses = nn.functional.cross_entropy(model(x), y, reduction="none")
    optimizer.zero_grad()
    losses.mean().backward()
    optimizer.step()
    return losses.detach()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(100, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    miner = Miner()
    for _ in range(120):
        x, y = make_batch(128, 100, device)
        miner.offer(x, y, step(model, optimizer, x, y))
    x, y = miner.hardest(128)
    with torch.no_grad():
        print("loss on the hardest %.3f" % nn.functional.cross_entropy(model(x), y).item())


if __name__ == "__main__":
    main()
