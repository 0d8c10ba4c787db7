# Four results at a time, then the list is cleared.
import torch
from concurrent.futures import ThreadPoolExecutor


def part(model, x, y):
    return torch.nn.functional.mse_loss(model(x), y)


def train(model, loader, opt):
    pool = ThreadPoolExecutor(4)
    pending = []
    for x, y in loader:
        pending.append(pool.submit(part, model, x, y))
        if len(pending) == 4:
            loss = sum(f.result() for f in pending)
            pending.clear()
            opt.zero_grad()
            loss.backward()
            opt.step()
