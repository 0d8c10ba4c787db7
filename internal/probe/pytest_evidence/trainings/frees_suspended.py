"""Counts the tensors alive while a training that is a coroutine, and reads from a generator, goes on."""

import asyncio
import gc

import torch
import torch.nn.functional as F
from common import Net, batches


def count():
    gc.collect()
    return sum(type(item) is torch.Tensor for item in gc.get_objects())


def loader():
    for x, y in batches():
        moved = x + 1
        yield moved, y


async def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    kept, counts = [], []
    for x, y in loader():
        out = model(x)
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        kept.append(out.detach())  # leak
        await asyncio.sleep(0)
        counts.append(count())
    return counts


counts = asyncio.run(train(Net()))
result = [b - a for a, b in zip(counts[12:], counts[13:])]
result.append(counts[-1] - counts[0])
