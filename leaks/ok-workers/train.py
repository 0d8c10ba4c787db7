"""Loader workers on a list of Python objects."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Records(Dataset):
    def __init__(self, n):
        self.records = [{"id": "record-%06d" % i, "seed": i} for i in range(n)]

    def __len__(self):
        return len(self.records)

    def __getitem__(self, index):
        record = self.records[index]
        g = torch.Generator().manual_seed(record["seed"])
        x = torch.randn(1, 20, 20, generator=g)
        return x, int(x.mean() > 0)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(Records(120 * 16), batch_size=16, shuffle=True, num_workers=2, drop_last=True)
    model = nn.Sequential(nn.Conv2d(1, 8, 5, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(512, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())


if __name__ == "__main__":
    main()
