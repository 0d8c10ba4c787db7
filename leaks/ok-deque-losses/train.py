"""Regression with a moving average over the last losses."""
from collections import deque

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(12, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
recent = deque(maxlen=50)
for step in range(160):
    x = torch.randn(128, 12, device=device)
    loss = (model(x) - x[:, :1] * x[:, 1:2]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    recent.append(loss)
    if step % 40 == 39:
        print(step, "mean %.4f" % (sum(recent) / len(recent)).item())
