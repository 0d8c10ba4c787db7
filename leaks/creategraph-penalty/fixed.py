"""Energy model of a ring with a penalty on the energy's slope."""
import math

import torch
from torch import nn


class Energy(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Softplus(), nn.Linear(width, width), nn.Softplus(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)

    def slope_penalty(self, real, fake, weight=0.1):
        mix = torch.rand(len(real), 1, device=real.device)
        points = (mix * real + (1 - mix) * fake).requires_grad_(True)
        score = self(points)
        gradient, = torch.autograd.grad(score.sum(), points, create_graph=True)
        norm = gradient.norm(2, dim=1)
        return weight * ((norm - 1) ** 2).mean()


def ring(n):
    angle = 2 * math.pi * torch.rand(n)
    return torch.stack([torch.cos(angle), torch.sin(angle)], 1) * (1 + 0.05 * torch.randn(n, 1))


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    energy = Energy().to(device)
    optimizer = torch.optim.Adam(energy.parameters(), lr=1e-3)
    for step in range(120):
        real, fake = ring(128).to(device), torch.randn(128, 2, device=device)
        penalty = energy.slope_penalty(real, fake)
        optimizer.zero_grad(set_to_none=True)
        loss = energy(real).mean() - energy(fake).mean() + penalty
        loss.backward()
        optimizer.step()
    print("loss %.3f penalty %.3f" % (loss.item(), penalty.item()))


if __name__ == "__main__":
    main()
