# Labels and offsets as arrays, records in a memory map: nothing for workers to copy.
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Tokens(Dataset):
    def __init__(self, path, length):
        self.data = np.memmap(path, dtype=np.uint16, mode="r")
        self.labels = np.load(path + ".labels.npy")
        self.length = length

    def __len__(self):
        return len(self.data) // self.length

    def __getitem__(self, i):
        chunk = self.data[i * self.length : (i + 1) * self.length].astype(np.int64)
        return torch.from_numpy(chunk), int(self.labels[i])


def make(path):
    return DataLoader(Tokens(path, 512), batch_size=8, num_workers=4)
