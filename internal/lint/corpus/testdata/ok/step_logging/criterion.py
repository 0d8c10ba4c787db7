# A criterion returns its loss, a size and detached values to log.
import torch
from torch import nn


class Criterion(nn.Module):
    def forward(self, model, sample):
        out = model(sample["x"])
        loss = nn.functional.cross_entropy(out, sample["y"], reduction="sum")
        return loss, sample["y"].size(0), {"loss": loss.data, "n": sample["y"].numel()}


def train(task, model, loader, optimizer):
    criterion = Criterion()
    for sample in loader:
        optimizer.zero_grad()
        loss, size, logging = task.train_step(sample, model, criterion, optimizer)
        optimizer.step()
        print(loss / size, dict(logging))
