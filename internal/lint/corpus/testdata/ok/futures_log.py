# Futures of a function that logs: what it was given it holds only until it is done.
import torch
from concurrent.futures import ThreadPoolExecutor


def log(step, value):
    print(step, float(value))


def train(model, loader, opt, crit):
    futures = []
    pool = ThreadPoolExecutor(1)
    for i, (x, y) in enumerate(loader):
        loss = crit(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        futures.append(pool.submit(log, i, loss.detach()))
    for f in futures:
        f.result()
