# The method that encodes switches gradients off itself.
import torch
from torch import nn


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(9, 4)

    @torch.no_grad()
    def encode(self, x):
        return self.enc(x).tanh()

    def forward(self, x):
        return self.enc(x)


def embed(model, loader):
    model.eval()
    codes = []
    for x, _ in loader:
        codes.append(model.encode(x))
    return torch.cat(codes)
