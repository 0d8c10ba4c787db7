# A latent per batch is registered under a new name in each step.
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, latent=16):
        super().__init__()
        self.latent = latent
        self.net = nn.Sequential(nn.Linear(latent, 128), nn.ReLU(), nn.Linear(128, 784))

    def code(self, batch, step):
        z = nn.Parameter(torch.zeros(batch, self.latent))
        self.register_parameter(f"z_{step}", z)  # finding: growing-parameters
        return z


def train(decoder, loader):
    for step, (x, _) in enumerate(loader):
        z = decoder.code(len(x), step)
        optimizer = torch.optim.Adam([z, *decoder.net.parameters()], lr=1e-3)
        for _ in range(20):
            loss = (decoder.net(z) - x.flatten(1)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
