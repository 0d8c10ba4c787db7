"""Denoising diffusion of two-dimensional points, sampled with averaged weights."""
import torch
from torch import nn

from fixed_ema import EMA


class Denoiser(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(1, width), nn.SiLU())
        self.inp = nn.Linear(2, width)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        return self.out(self.mid(self.inp(x) + self.time(t)))


def moons(n):
    angle = torch.rand(n, 1) * 3.1416
    half = torch.randint(2, (n, 1)).float()
    x = torch.cos(angle) * (1 - 2 * half) + half
    y = torch.sin(angle) * (1 - 2 * half) + half * 0.5
    return torch.cat([x, y], 1)


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = Denoiser().to(device)
ema = EMA(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(120):
    clean = moons(256).to(device)
    t = torch.rand(256, 1, device=device)
    noise = torch.randn_like(clean)
    noisy = (1 - t) * clean + t * noise
    loss = (model(noisy, t) - noise).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    ema.update(model)
ema.swap(model)
with torch.no_grad():
    print("loss %.3f, output %.3f" % (loss.item(), model(noisy, t).abs().mean().item()))
