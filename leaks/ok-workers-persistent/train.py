"""Epochs with the same loader workers, which read far ahead."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Spirals(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        g = torch.Generator().manual_seed(index)
        angle = torch.linspace(0, 12, 400) + torch.rand((), generator=g)
        points = torch.stack([angle * angle.cos(), angle * angle.sin()])
        return points + 0.3 * torch.randn(2, 400, generator=g), index % 2


def main(batch_size=16, epochs=3, steps=80):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(Spirals(steps * batch_size), batch_size=batch_size, shuffle=True, num_workers=2, prefetch_factor=8, persistent_workers=True)
    model = nn.Sequential(nn.Conv1d(2, 16, 9, stride=4), nn.ReLU(), nn.Conv1d(16, 16, 9, stride=4), nn.ReLU(), nn.Flatten(), nn.Linear(368, 2)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print("epoch %d loss %.3f" % (epoch, loss.item()))


if __name__ == "__main__":
    main()
