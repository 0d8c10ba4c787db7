# Lists that grow by names, shapes and times.
import time
from pathlib import Path

import torch


def train(model, loader, criterion, optimizer, out: Path):
    saved, shapes, times, rates = [], set(), [], []
    for i, (x, y) in enumerate(loader):
        start = time.perf_counter()
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        times.append(time.perf_counter() - start)
        shapes.add(tuple(x.shape))
        rates.append(optimizer.param_groups[0]["lr"])
        if i % 500 == 0:
            path = out / f"{i}.pt"
            torch.save(model.state_dict(), path)
            saved.append(path)
            while len(saved) > 3:
                saved.pop(0).unlink()
    return shapes, sum(times)
