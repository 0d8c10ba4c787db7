# Losses are kept in the order of their values, with itertools' count as the loop.
import torch
from itertools import count


def train(model, data, opt, crit):
    it = iter(data)
    best = []
    for step in count():
        try:
            x, y = next(it)
        except StopIteration:
            break
        loss = crit(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        best.append((loss, step))  # finding: kept-loss
        best.sort(key=lambda b: b[0].item())
