# Losses are filed under their step's number: a dictionary that only grows.
import itertools

import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.RMSprop(model.parameters())
mse = nn.MSELoss()
loss_at = {}

for step in itertools.count():
    x = torch.rand(64, 8)
    target = x.prod(dim=1, keepdim=True)
    optimizer.zero_grad()
    loss = mse(model(x), target)
    loss.backward()
    optimizer.step()
    loss_at[step] = loss  # finding: kept-loss
    if step % 1000 == 0:
        print(step, float(loss))
    if loss < 1e-4:
        break
