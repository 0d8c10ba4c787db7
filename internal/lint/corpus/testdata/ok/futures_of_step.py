# The parts of one step are computed in threads, and backward goes through their results.
import torch
from concurrent.futures import ThreadPoolExecutor


def part(model, x, y):
    return torch.nn.functional.mse_loss(model(x), y)


def train(model, loader, opt):
    pool = ThreadPoolExecutor(4)
    for x, y in loader:
        futures = [pool.submit(part, model, a, b) for a, b in zip(x.chunk(4), y.chunk(4))]
        loss = sum(f.result() for f in futures)
        opt.zero_grad()
        loss.backward()
        opt.step()
