# The allocator's history is on for three steps and switched off again.
import torch


def train(model, loader, criterion, optimizer):
    for i, (x, y) in enumerate(loader):
        if i == 10:
            torch.cuda.memory._record_memory_history(max_entries=100000)
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        if i == 13:
            torch.cuda.memory._dump_snapshot("snapshot.pickle")
            torch.cuda.memory._record_memory_history(enabled=None)
