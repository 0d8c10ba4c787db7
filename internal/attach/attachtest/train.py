"""Trains a small model, keeping the losses, for as long as the file of the first argument is there after its first steps, or
for as many steps as the second argument says. Ends with what the weights have become."""

import hashlib
import pathlib
import sys
import time

import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
trains, steps = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None
history = []
while len(history) != steps and (steps is not None or len(history) < 10 or trains.exists()):
    x = torch.randn(64, 32)
    loss = (model(x) - x.sum(1, keepdim=True)).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    history.append(loss)
    if steps is None:
        time.sleep(0.002)
    if len(history) == 9:
        trains.touch()
weights = [value for p in model.parameters() for value in p.flatten().tolist()]
print("trained", len(history), "steps", hashlib.sha256(repr(weights).encode()).hexdigest())
