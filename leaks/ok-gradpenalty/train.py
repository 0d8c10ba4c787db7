"""WGAN-GP on a mixture of Gaussians."""
import argparse

import torch
from torch import autograd, nn


def penalty(critic, real, fake):
    mix = torch.rand(len(real), 1, device=real.device)
    points = (mix * real + (1 - mix) * fake).requires_grad_(True)
    gradient = autograd.grad(critic(points).sum(), points, create_graph=True)[0]
    return ((gradient.norm(2, dim=1) - 1) ** 2).mean()


def mixture(n, device):
    centre = torch.randint(0, 4, (n,), device=device)
    return torch.stack([(centre % 2) * 2.0 - 1, (centre // 2) * 2.0 - 1], 1) + 0.1 * torch.randn(n, 2, device=device)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=120)
    parser.add_argument("--n-critic", type=int, default=3)
    parser.add_argument("--gp-weight", type=float, default=10.0)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    gen = nn.Sequential(nn.Linear(4, 48), nn.ReLU(), nn.Linear(48, 2)).to(device)
    critic = nn.Sequential(nn.Linear(2, 48), nn.LeakyReLU(0.2), nn.Linear(48, 48), nn.LeakyReLU(0.2), nn.Linear(48, 1)).to(device)
    optim_c = torch.optim.Adam(critic.parameters(), 1e-3, betas=(0.0, 0.9))
    optim_g = torch.optim.Adam(gen.parameters(), 1e-3, betas=(0.0, 0.9))
    for iteration in range(args.iterations):
        for _ in range(args.n_critic):
            real = mixture(64, device)
            fake = gen(torch.randn(64, 4, device=device)).detach()
            loss_c = critic(fake).mean() - critic(real).mean() + args.gp_weight * penalty(critic, real, fake)
            optim_c.zero_grad()
            loss_c.backward()
            optim_c.step()
        optim_g.zero_grad()
        loss_g = -critic(gen(torch.randn(64, 4, device=device))).mean()
        loss_g.backward()
        optim_g.step()
    print("critic %.3f generator %.3f" % (loss_c.item(), loss_g.item()))


main()
