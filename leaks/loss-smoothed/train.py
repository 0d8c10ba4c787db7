"""Autoencoder with a smoothed loss in the progress line."""
import sys
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Progress:
    total: int
    beta: float = 0.98
    every: int = 50
    done: int = 0
    smooth: object = field(default=None)

    def step(self, loss):
        self.done += 1
        if self.smooth is None:
            self.smooth = loss
        else:
            self.smooth = self.beta * self.smooth + (1 - self.beta) * loss  # leak
        if self.done % self.every == 0:
            sys.stdout.write("%d/%d loss %.4f\n" % (self.done, self.total, self.smooth))


class AutoEncoder(nn.Module):
    def __init__(self, dim=256, code=16):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, 256), nn.ReLU(), nn.Linear(256, code))
        self.decoder = nn.Sequential(nn.Linear(code, 256), nn.ReLU(), nn.Linear(256, dim))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def train(steps=150):
    torch.manual_seed(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    basis = torch.randn(16, 256)
    model = AutoEncoder().to(device)
    opt = torch.optim.Adam(model.parameters(), 1e-3)
    progress = Progress(steps)
    for _ in range(steps):
        x = (torch.randn(256, 16) @ basis / 4).to(device)
        loss = nn.functional.mse_loss(model(x), x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        progress.step(loss)  # leak?


train()
