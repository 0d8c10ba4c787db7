"""Training on random crops of scans."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Scans(Dataset):
    def __init__(self, n, size=64):
        self.n = n
        self.size = size

    def __len__(self):
        return self.n

    def scan(self, index):
        g = torch.Generator().manual_seed(index % 50)
        return torch.randn(1, 96, 96, generator=g).cumsum(1)

    def __getitem__(self, index):
        top, left = torch.randint(0, 96 - self.size, (2,)).tolist()
        return self.scan(index)[:, top:top + self.size, left:left + self.size].clone(), index % 2


def main(batch_size=16, steps=240):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(Scans(steps * batch_size), batch_size=batch_size, shuffle=True, num_workers=2)
    model = nn.Sequential(nn.Conv2d(1, 8, 5, stride=3), nn.ReLU(), nn.Conv2d(8, 8, 5, stride=3), nn.ReLU(), nn.Flatten(), nn.Linear(288, 2)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())


if __name__ == "__main__":
    main()
