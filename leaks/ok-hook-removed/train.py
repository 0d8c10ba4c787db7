"""Looks at one layer's activations in each step through a context manager."""
import contextlib

import torch
from torch import nn


@contextlib.contextmanager
def watching(module):
    seen = []
    handle = module.register_forward_hook(lambda m, i, o: seen.append(o.detach().abs().mean()))
    try:
        yield seen
    finally:
        handle.remove()


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
dead = 0
for step in range(120):
    x = torch.randn(128, 30, device=device)
    with watching(model[3]) as seen:
        logits = model(x)
    dead += int(seen[0] < 1e-3)
    loss = nn.functional.cross_entropy(logits, (x.sum(1) > 0).long())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.3f, steps with dead layer %d" % (loss.item(), dead))
