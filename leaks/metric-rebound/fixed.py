"""Point cloud alignment; the mean distance is computed once an epoch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from fixed_distance import MeanDistance


class Aligner(nn.Module):
    def __init__(self):
        super().__init__()
        self.point = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 64))
        self.pose = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3))

    def forward(self, cloud):
        return cloud + self.pose(self.point(cloud).max(1).values)[:, None]


def train():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    shape = torch.randn(1, 64, 3)
    moved = shape + torch.randn(96, 1, 3)
    loader = DataLoader(TensorDataset(moved), batch_size=8, shuffle=True)
    model = Aligner().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    metric = MeanDistance()
    shape = shape.to(device)
    for epoch in range(18):
        for (cloud,) in loader:
            aligned = model(cloud.to(device))
            loss = (aligned - shape).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            metric.update(aligned.detach()[:, :32], shape[:, :32].expand(len(cloud), -1, -1))
        value = metric.compute()
        metric.reset()
    print("mean distance %.3f" % value)


if __name__ == "__main__":
    train()
