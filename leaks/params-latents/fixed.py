"""Auto-decoder over a stream of signals: every signal gets its own latent code."""
import argparse

import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, latent=64, points=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(latent + 1, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
        self.register_buffer("t", torch.linspace(-1, 1, points)[:, None])

    def forward(self, latent):
        grid = torch.cat([self.t.expand(len(latent), -1, -1), latent[:, None].expand(-1, len(self.t), -1)], -1)
        return self.net(grid).squeeze(-1)


def stream(n, device):
    t = torch.linspace(-1, 1, 64, device=device)
    for _ in range(n):
        f = 1 + 4 * torch.rand(8, 1, device=device)
        yield torch.sin(f * t * 3)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--signals", type=int, default=120)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--latent-lr", type=float, default=1e-2)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    decoder = Decoder().to(device)
    optimizer = torch.optim.Adam(decoder.parameters(), lr=args.lr)
    for signal in stream(args.signals, device):
        latent = nn.Parameter(torch.randn(8, 64, device=device) * 0.01)
        del optimizer.param_groups[1:]
        for old in [p for p in optimizer.state if p.shape == latent.shape]:
            del optimizer.state[old]
        optimizer.add_param_group({"params": [latent], "lr": args.latent_lr})
        loss = (decoder(latent) - signal).pow(2).mean() + 1e-4 * latent.pow(2).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    print("loss %.4f" % loss.item())


if __name__ == "__main__":
    main()
