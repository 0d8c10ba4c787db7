"""Least-squares GAN on one-dimensional waveforms."""
import math

import torch
from torch import nn


def waves(n, length=128):
    phase = torch.rand(n, 1) * 2 * math.pi
    freq = torch.randint(1, 6, (n, 1)).float()
    t = torch.linspace(0, 2 * math.pi, length)
    return torch.sin(freq * t + phase)


class Generator(nn.Sequential):
    def __init__(self, noise=16, length=128):
        super().__init__(nn.Linear(noise, 256), nn.LeakyReLU(0.2), nn.Linear(256, length), nn.Tanh())


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.Sequential(
            nn.Conv1d(1, 16, 9, stride=4, padding=4), nn.LeakyReLU(0.2),
            nn.Conv1d(16, 32, 9, stride=4, padding=4), nn.LeakyReLU(0.2))
        self.out = nn.Linear(32 * 8, 1)

    def forward(self, x):
        return self.out(self.convs(x[:, None]).flatten(1))


def main(epochs=1, batches=120, batch_size=64):
    torch.manual_seed(2)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    gen, disc = Generator().to(device), Discriminator().to(device)
    optim_g = torch.optim.AdamW(gen.parameters(), 2e-4, betas=(0.8, 0.99))
    optim_d = torch.optim.AdamW(disc.parameters(), 2e-4, betas=(0.8, 0.99))
    scheduler_g = torch.optim.lr_scheduler.ExponentialLR(optim_g, 0.999)
    scheduler_d = torch.optim.lr_scheduler.ExponentialLR(optim_d, 0.999)
    for epoch in range(epochs):
        epoch_disc_sum = 0.0
        epoch_gen_sum = 0.0
        for _ in range(batches):
            real = waves(batch_size).to(device)
            fake = gen(torch.randn(batch_size, 16, device=device))

            optim_d.zero_grad()
            loss_d = ((disc(real) - 1) ** 2).mean() + (disc(fake.detach()) ** 2).mean()
            epoch_disc_sum += loss_d  # leak
            loss_d.backward()
            optim_d.step()

            optim_g.zero_grad()
            loss_g = ((disc(fake) - 1) ** 2).mean()
            epoch_gen_sum += loss_g  # leak
            loss_g.backward()
            optim_g.step()
        scheduler_g.step()
        scheduler_d.step()
        print("epoch %d disc %.3f gen %.3f" % (epoch, epoch_disc_sum / batches, epoch_gen_sum / batches))


main()
