"""Patch denoising; expensive noise maps are cached by the dataset."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Patches(Dataset):
    def __init__(self, n=128, size=20, seed=0):
        self.n, self.size, self.seed = n, size, seed
        self.epoch = 0
        self.cache = {}

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return self.n

    def _render(self, index):
        generator = torch.Generator().manual_seed(self.seed + index + 1000 * self.epoch)
        axis = torch.linspace(-2, 2, self.size)
        direction = torch.randn(2, generator=generator)
        clean = torch.sin(3 * (axis[:, None] * direction[0] + axis[None] * direction[1]))
        return clean[None], clean[None] + 0.5 * torch.randn(1, self.size, self.size, generator=generator)

    def __getitem__(self, index):
        key = (self.epoch, index)
        if key not in self.cache:
            self.cache[key] = self._render(index)  # leak
        return self.cache[key]


def main(epochs=20):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dataset = Patches()
    loader = DataLoader(dataset, batch_size=16, shuffle=True)
    net = nn.Sequential(nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.Conv2d(12, 12, 3, padding=1), nn.ReLU(), nn.Conv2d(12, 1, 3, padding=1)).to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(epochs):
        dataset.set_epoch(epoch)
        total = 0.0
        for clean, noisy in loader:
            clean, noisy = clean.to(device), noisy.to(device)
            loss = nn.functional.l1_loss(net(noisy), clean)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
    print("loss %.3f" % (total / len(loader)))


if __name__ == "__main__":
    main()
