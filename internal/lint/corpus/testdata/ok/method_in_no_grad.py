# A method of the model under no_grad.
import torch
from torch import nn


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(9, 4)

    def encode(self, x):
        return self.enc(x).tanh()

    def forward(self, x):
        return self.enc(x)


@torch.no_grad()
def embed(model, loader):
    codes = []
    for x, _ in loader:
        codes.append(model.encode(x))
    return torch.cat(codes)
