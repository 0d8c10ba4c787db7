# The cache is emptied and the collector run between two models, not in the loop.
import gc

import torch


def train(make, loader, criterion, epochs):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
    torch.save(model.state_dict(), "model.pt")


def main(first, second, loader, criterion):
    train(first, loader, criterion, 10)
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    train(second, loader, criterion, 10)
    print(torch.cuda.max_memory_allocated())
