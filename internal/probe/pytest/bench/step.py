"""What the always-on tier costs a step of a small training. Prints median and mean in microseconds,
of the first steps, which read all they can, and of those behind."""

import os
import sys

import torch

FIRST = 1000
STEPS = int(sys.argv[1])
device = sys.argv[2]

probe = sys.modules["_torchleak.probe"].probe
torch.manual_seed(0)
model = torch.nn.Sequential(
    *[layer for _ in range(6) for layer in (torch.nn.Linear(256, 256), torch.nn.ReLU())]).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data = torch.randn(32, 256, device=device)

costs, before = [], 0
for _ in range(FIRST + STEPS):
    optimizer.zero_grad()
    model(data).pow(2).mean().backward()
    optimizer.step()
    costs.append((probe._spent - before) / 1000)
    before = probe._spent


def median(values):
    return sorted(values)[len(values) // 2]


def mean(values):
    return sum(values) / len(values)


later = costs[FIRST:]
print(median(later), mean(later), mean(costs[:FIRST]))
assert os.listdir(os.environ["TORCHLEAK_DIR"])
