# Windows over a series that is in memory anyway.
import torch
from torch.utils.data import Dataset


class Windows(Dataset):
    def __init__(self, series, size):
        self.series = torch.as_tensor(series)
        self.items = [self.series[i : i + size] for i in range(len(self.series) - size)]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i][:-1], self.items[i][-1]
