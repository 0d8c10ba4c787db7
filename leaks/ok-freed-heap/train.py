"""Training on samples of many sizes: what is freed between two that stay, malloc keeps."""
import random

import torch
from torch import nn


class Pool:
    """The newest samples, of which a batch is drawn."""

    def __init__(self, size):
        self.samples = []
        self.size = size

    def add(self, sample):
        if len(self.samples) < self.size:
            self.samples.append(sample)
        else:
            self.samples[random.randrange(self.size)] = sample


def main(steps=200, batch_size=16):
    torch.manual_seed(0)
    random.seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pool = Pool(64)
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(steps):
        loud = [torch.randn(random.randrange(200, 24000)) for _ in range(64)]  # of which most are dropped at once
        for sample in loud[::16]:
            pool.add(sample[:64].clone())
        del loud
        x = torch.stack(random.choices(pool.samples, k=batch_size)).to(device)
        loss = (model(x) - x.amax(1, keepdim=True)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())


main()
