# One of two curves keeps tensors.
import torch
import torch.nn as nn


class Gan:
    def __init__(self, g, d, z=64):
        self.g, self.d, self.z = g, d, z
        self.opt_g = torch.optim.Adam(g.parameters(), 2e-4, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(d.parameters(), 2e-4, betas=(0.5, 0.999))
        self.bce = nn.BCEWithLogitsLoss()
        self.log = {"g": [], "d": []}

    def step(self, real):
        noise = torch.randn(real.size(0), self.z, device=real.device)
        fake = self.g(noise)
        d_loss = self.bce(self.d(real), torch.ones(real.size(0), 1)) + self.bce(self.d(fake.detach()), torch.zeros(real.size(0), 1))
        self.opt_d.zero_grad()
        d_loss.backward()
        self.opt_d.step()
        g_loss = self.bce(self.d(fake), torch.ones(real.size(0), 1))
        self.opt_g.zero_grad()
        g_loss.backward()
        self.opt_g.step()
        self.log["g"].append(g_loss)  # finding: kept-loss
        self.log["d"].append(d_loss.item())

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for real, _ in loader:
                self.step(real)
