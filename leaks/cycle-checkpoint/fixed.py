"""Deep MLP with recomputed blocks."""
import torch
from torch import nn

from fixed_recompute import segment


class Deep(nn.Module):
    def __init__(self, dim=48, depth=4):
        super().__init__()
        self.inp = nn.Linear(10, dim)
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, dim)) for _ in range(depth))
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        h = self.inp(x)
        for block in self.blocks:
            h = h + segment(block, h)
        return self.out(h)


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Deep().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(160):
        x = torch.randn(64, 10, device=device)
        loss = (model(x).squeeze(1) - x[:, 0] * x[:, 1]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())
