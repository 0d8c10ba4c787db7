import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Shuffled(IterableDataset):
    def __iter__(self):
        rows = []
        while True:
            rows.append(torch.randn(16))  # leak
            yield rows[len(rows) // 2]


def train(steps):
    model = nn.Linear(16, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step, x in enumerate(DataLoader(Shuffled(), batch_size=8)):
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()
        if step == steps:
            return


train(40)
