"""Bucketed sequences through a convolution."""
import random

import torch
from torch import nn

BUCKETS = (16, 24, 32, 40, 48, 56, 64, 80)


class Conv(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.embed = nn.Embedding(50, dim)
        self.conv = nn.Sequential(nn.Conv1d(dim, 24, 5, padding=2), nn.ReLU(), nn.Conv1d(24, 24, 5, padding=2), nn.ReLU())
        self.out = nn.Linear(24, 2)

    def forward(self, ids):
        return self.out(self.conv(self.embed(ids).transpose(1, 2)).amax(2))


def main():
    random.seed(0)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Conv().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for _ in range(160):
        length = random.choice(BUCKETS)
        ids = torch.randint(0, 50, (1024 // length, length), device=device)
        loss = nn.functional.cross_entropy(model(ids), (ids[:, 0] > 24).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())


main()
