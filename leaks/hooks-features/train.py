"""Bars classifier whose attention map is shown now and then."""
import argparse

import torch
from torch import nn, optim

from extract import FeatureExtractor


def bars(n, size=16):
    x = 0.3 * torch.randn(n, 1, size, size)
    y = torch.randint(0, 2, (n,))
    place = torch.randint(0, size, (n,))
    for i in range(n):
        if y[i]:
            x[i, 0, place[i]] += 1
        else:
            x[i, 0, :, place[i]] += 1
    return x, y


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--iters", type=int, default=120)
    parser.add_argument("--show-every", type=int, default=40)
    args = parser.parse_args(argv)
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = nn.Sequential()
    net.add_module("conv1", nn.Conv2d(1, 8, 3, padding=1))
    net.add_module("relu1", nn.ReLU())
    net.add_module("conv2", nn.Conv2d(8, 16, 3, padding=1))
    net.add_module("relu2", nn.ReLU())
    net.add_module("pool", nn.AdaptiveMaxPool2d(1))
    net.add_module("flat", nn.Flatten())
    net.add_module("fc", nn.Linear(16, 2))
    net.to(device)
    extractor = FeatureExtractor(net, [net.relu2])
    optimizer = optim.Adam(net.parameters(), lr=2e-3)
    for it in range(1, args.iters + 1):
        x, y = bars(16)
        loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if it % args.show_every == 0:
            print("iter %d loss %.3f centre %.3f" % (it, loss.item(), extractor.attention_map()[8, 8].item()))
    extractor.release()


main()
