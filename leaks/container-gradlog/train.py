"""Plain against residual networks: how do gradients flow?"""
import argparse

import torch
from torch import nn

from gradlog import GradientLog


class Net(nn.Module):
    def __init__(self, dim, depth, residual):
        super().__init__()
        self.residual = residual
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth))
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        for layer in self.layers:
            y = torch.tanh(layer(x))
            x = x + y if self.residual else y
        return self.out(x)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--dim", type=int, default=40)
    parser.add_argument("--depth", type=int, default=5)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net, log = Net(args.dim, args.depth, not args.plain).to(device), GradientLog()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, nesterov=True)
    for step in range(120):
        x = torch.randn(96, args.dim, device=device)
        loss = nn.functional.mse_loss(net(x), x.prod(1, keepdim=True).clamp(-1, 1) + x[:, :1])
        optimizer.zero_grad()
        loss.backward()
        log.log(net)  # leak?
        optimizer.step()
    print("loss %.3f" % loss.item(), {k: round(v, 4) for k, v in log.flow().items()})


main()
