# Each batch gets a parameter of its own, cast once and cached until the region ends.
import torch
from torch import nn


def fit_latents(decoder, loader, inner_steps=5):
    losses = 0.0
    with torch.autocast("cpu", dtype=torch.bfloat16):  # finding: autocast-cache
        for x in loader:
            code = nn.Parameter(torch.zeros(len(x), 256))
            optimizer = torch.optim.Adam([code], lr=1e-2)
            for _ in range(inner_steps):
                loss = (decoder(code) - x).pow(2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            losses += loss.item()
    return losses
