"""Equalizer network with a custom activation."""
import torch
from torch import nn

from activation import squash


class Equalizer(nn.Module):
    def __init__(self, taps=48, hidden=64):
        super().__init__()
        self.inp = nn.Linear(taps, hidden)
        self.mid = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 4)

    def forward(self, x):
        return self.out(squash(self.mid(squash(self.inp(x)))))


def symbols(n, taps, channel, device):
    s = torch.randint(0, 4, (n, taps + len(channel) - 1), device=device)
    signal = s.float() - 1.5
    received = nn.functional.conv1d(signal[:, None], channel[None, None])[:, 0]
    return received + 0.05 * torch.randn_like(received), s[:, taps // 2]


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    channel = torch.tensor([0.2, 1.0, -0.3, 0.1], device=device)
    net = Equalizer().to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(160):
        x, y = symbols(128, 48, channel, device)
        loss = nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())


main()
