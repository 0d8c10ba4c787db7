"""Leaks in several ways and leaves the weights: they must not differ by a bit when looked into."""

import hashlib

import torch
import torch.nn as nn
import torch.nn.functional as F
from common import Net, batches

model = nn.Sequential(Net(), nn.Dropout(0.3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
losses, total = [], 0.0
seen = {}


def train():
    global total
    for step, (x, y) in enumerate(batches(40)):
        out = model(x)
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
        total = total + loss * torch.rand(())
        seen[step] = out[:1]


train()
digest = hashlib.sha256()
for tensor in list(model.parameters()) + [total]:
    digest.update(bytes(tensor.detach().contiguous().view(-1).numpy().tobytes()))
digest.update(bytes(torch.get_rng_state().numpy().tobytes()))
result = digest.hexdigest()
