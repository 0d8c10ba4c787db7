# Batches with a high loss are put aside on the GPU to be trained again, and never leave.
import torch


class HardMiner:
    def __init__(self, threshold=2.0):
        self.threshold = threshold
        self.hard = []

    def consider(self, x, y, loss):
        if loss > self.threshold:
            self.hard.append((x, y))  # finding: kept-batch


def train(model, loader, criterion, optimizer, device="cuda"):
    miner = HardMiner()
    for x, y in loader:
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        miner.consider(x, y, loss.item())
    return miner.hard
