"""Autoencoder of rendered discs with a contact sheet of what was seen."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, IterableDataset


class Discs(IterableDataset):
    def __init__(self, count, size=24):
        self.count, self.size = count, size

    def __iter__(self):
        axis = torch.arange(self.size).float()
        for _ in range(self.count):
            radius, cx, cy = torch.rand(3) * torch.tensor([6.0, 12.0, 12.0]) + torch.tensor([2.0, 6.0, 6.0])
            yield (((axis[:, None] - cx) ** 2 + (axis[None] - cy) ** 2) < radius ** 2).float()[None]


class ConvAE(nn.Module):
    def __init__(self, code=12):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1), nn.ReLU(), nn.Conv2d(8, 16, 4, 2, 1), nn.ReLU())
        self.code = nn.Linear(16 * 36, code)
        self.back = nn.Linear(code, 16 * 36)
        self.up = nn.Sequential(nn.ConvTranspose2d(16, 8, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(8, 1, 4, 2, 1))

    def forward(self, x):
        code = self.code(self.down(x).flatten(1))
        return self.up(self.back(code).view(-1, 16, 6, 6))


def contact_sheet(thumbnails, columns=4):
    rows = [torch.cat(list(thumbnails[i:i + columns]), -1) for i in range(0, len(thumbnails) - columns + 1, columns)]
    return torch.cat(rows, -2)


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = ConvAE().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    thumbnails = []
    for pictures in DataLoader(Discs(120 * 16), batch_size=16):
        pictures = pictures.to(device)
        loss = nn.functional.binary_cross_entropy_with_logits(model(pictures), pictures)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        thumbnails.append(pictures[0].clone())
        del thumbnails[:-16]
    print("loss %.3f" % loss.item(), tuple(contact_sheet(thumbnails[-16:]).shape))
