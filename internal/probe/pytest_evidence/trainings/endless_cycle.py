import itertools

import torch
import torch.nn.functional as F
from common import Net, batches

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
endless = itertools.cycle((x + 1, y) for x, y in batches(200))  # leak
for _ in range(24):
    x, y = next(endless)
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
