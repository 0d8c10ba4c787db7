# Futures are kept to the end, and each holds a score with its graph.
import torch
from concurrent.futures import ThreadPoolExecutor


def score(model, x):
    return model(x).mean()


def train(model, loader, opt, crit):
    futures = []
    with ThreadPoolExecutor(4) as pool:
        for x, y in loader:
            loss = crit(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            futures.append(pool.submit(score, model, x))  # finding: kept-output
    return futures
