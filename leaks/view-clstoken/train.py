"""Tiny vision transformer on coloured squares."""
import torch
from torch import nn

from bank import TokenBank


class TinyViT(nn.Module):
    def __init__(self, patch=4, size=16, dim=32, classes=4):
        super().__init__()
        self.patch = nn.Conv2d(3, dim, patch, stride=patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.position = nn.Parameter(torch.randn(1, (size // patch) ** 2 + 1, dim) * 0.02)
        self.block = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.head = nn.Linear(dim, classes)

    def forward_features(self, x):
        tokens = self.patch(x).flatten(2).transpose(1, 2)
        tokens = torch.cat([self.cls.expand(len(x), -1, -1), tokens], 1) + self.position
        return self.block(tokens)

    def forward(self, x):
        tokens = self.forward_features(x)
        return self.head(tokens[:, 0]), tokens


def squares(n, device):
    y = torch.randint(0, 4, (n,))
    x = 0.2 * torch.randn(n, 3, 16, 16)
    for i, quadrant in enumerate(y):
        row, column = divmod(int(quadrant), 2)
        x[i, :, row * 8 + 2:row * 8 + 6, column * 8 + 2:column * 8 + 6] += 1
    return x.to(device), y.to(device)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model, bank = TinyViT().to(device), TokenBank()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(120):
        x, y = squares(32, device)
        logits, tokens = model(x)
        loss = nn.functional.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        bank.add(tokens)  # leak?
    print("loss %.3f, largest variance %.3f" % (loss.item(), bank.principal()))


main()
