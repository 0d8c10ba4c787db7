# A script's curves: a mean over an array, an element of a loss, a quotient of sums. One number each.
import numpy as np
import torch
from torch import nn, optim

model = nn.Linear(4, 2)
optimizer = optim.Adam(model.parameters())
losses, averages, returns, spreads = [], [], [], []
total = 0


def compute_loss(batch):
    states, targets = batch
    return (model(states) - targets).pow(2).mean()


for step in range(100000):
    rewards = np.random.randn(32)
    loss = compute_loss((torch.randn(8, 4), torch.randn(8, 2)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss.data[0]
    losses.append(loss.data[0])
    returns.append(np.mean([r for r in rewards]))
    spreads.append(np.std(rewards) / np.sqrt(len(rewards)))
    if step % 100 == 0:
        averages.append(total / 100)
        total = 0
