# A data set that is read into memory once, and puts each item together from its frames.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, paths, length=8):
        self.frames = []
        for path in paths:
            self.frames.append(torch.load(path))
        self.length = length

    def __len__(self):
        return len(self.frames) - self.length

    def __getitem__(self, index):
        clip = []
        for i in range(self.length):
            clip.append(self.frames[index + i].float() / 255)
        return torch.stack(clip)
