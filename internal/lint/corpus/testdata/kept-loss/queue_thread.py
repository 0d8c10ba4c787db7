# Losses go to a queue for a plotting thread that is only started at the end.
import queue
import threading

import torch


def plot(items):
    values = []
    while not items.empty():
        values.append(items.get().item())
    print(min(values), max(values))


def train(model, loader, criterion):
    pending = queue.Queue()
    optimizer = torch.optim.Adagrad(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        pending.put(loss)  # finding: kept-loss
    thread = threading.Thread(target=plot, args=(pending,))
    thread.start()
    thread.join()
