"""Mixture of experts on piecewise data."""
import torch
from torch import nn

from moe import Experts


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(6, 32)
        self.moe = Experts()
        self.out = nn.Linear(32, 1)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        return self.out(h + self.moe(h)).squeeze(1)


def main():
    torch.manual_seed(2)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Model().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for step in range(120):
        x = torch.randn(96, 6, device=device)
        y = torch.where(x[:, 0] > 0, x[:, 1] * x[:, 2], -x[:, 3])
        loss = (model(x) - y).pow(2).mean()
        loss = loss + 0.01 * model.moe.aux_losses.pop()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())


if __name__ == "__main__":
    main()
