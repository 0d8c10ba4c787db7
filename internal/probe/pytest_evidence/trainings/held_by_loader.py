import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Crops(Dataset):
    def __init__(self):
        self.cache = {}

    def __len__(self):
        return 400

    def __getitem__(self, index):
        self.cache[index] = torch.randn(16)  # leak
        return self.cache[index]


def train(steps):
    model = nn.Linear(16, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step, x in enumerate(DataLoader(Crops(), batch_size=8)):
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()
        if step == steps:
            return


train(40)
