"""Training on decoded clips that loader workers read far ahead."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Clips(Dataset):
    def __init__(self, n, length=4096):
        self.n = n
        self.length = length

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        g = torch.Generator().manual_seed(index)
        pitch = 1 + index % 7
        clip = torch.sin(pitch * torch.linspace(0, 60, self.length)) + 0.3 * torch.randn(self.length, generator=g)
        return clip, int(pitch > 3)


def main(batch_size=16, steps=240):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(Clips(steps * batch_size), batch_size=batch_size, shuffle=True, num_workers=2, prefetch_factor=24)
    model = nn.Sequential(nn.Linear(4096, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for x, y in loader:
        for _ in range(3):
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print("loss %.3f" % loss.item())


if __name__ == "__main__":
    main()
