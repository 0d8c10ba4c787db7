# Futures of numbers.
import torch
from concurrent.futures import ThreadPoolExecutor


def score(model, x):
    with torch.no_grad():
        return model(x).mean().item()


def train(model, loader, opt, crit):
    futures = []
    pool = ThreadPoolExecutor(1)
    for x, y in loader:
        loss = crit(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        futures.append(pool.submit(score, model, x))
    return [f.result() for f in futures]
