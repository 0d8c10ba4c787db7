import itertools

import torch
import torch.nn.functional as F
from common import Net, batches


def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    seen, unseen = itertools.tee((x + 1, y) for x, y in batches())  # leak
    for x, y in seen:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return unseen


train(Net())
