# A deque without maxlen is a list.
from collections import deque

import torch
from tqdm import tqdm


def run(model, loader, criterion, steps):
    window = deque()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    iterator = iter(loader)
    bar = tqdm(range(steps))
    for _ in bar:
        try:
            x, y = next(iterator)
        except StopIteration:
            iterator = iter(loader)
            x, y = next(iterator)
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        window.append(loss)  # finding: kept-loss
        bar.set_postfix(loss=window[-1].item())
