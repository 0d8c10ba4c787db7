# Memories of segments are kept without their graphs; only the newest few are ever read.
import torch
import torch.nn as nn


class XL(nn.Module):
    def __init__(self, d=64):
        super().__init__()
        self.proj = nn.Linear(d, d)
        self.mix = nn.Linear(2 * d, d)

    def forward(self, x, mems):
        past = torch.stack(mems).mean(0) if mems else torch.zeros_like(x)
        return self.mix(torch.cat([self.proj(x), past], -1))


def train(loader, steps_kept=8):
    model = XL()
    opt = torch.optim.Adam(model.parameters())
    mems = []
    for x, y in loader:
        h = model(x, mems[-steps_kept:])
        loss = (h - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        mems.append(h.detach())  # finding: growing-container
