# What a data set gathers for one item goes with it; an argument's default () is never the list that is filled.
import torch
from torch.utils.data import Dataset, IterableDataset


def perturbed(image, parts=()):
    for i, part in enumerate(parts):
        parts[i] = part + torch.rand_like(part)
    return image, parts


class Channels(Dataset):
    def __init__(self, sets):
        self.sets = sets

    def __getitem__(self, index):
        item = {"id": index, "source": None}
        for channel in self.sets:
            target = self.sets[channel][index]
            for name in target:
                if item["source"] is None:
                    item["source"] = {}
                item["source"][channel] = target[name][:4]
        image, parts = perturbed(item["source"])
        return item, image, parts


class Windows(IterableDataset):
    def __init__(self, series):
        self.series = series

    def __iter__(self):
        for series in self.series:
            window = []
            for value in series:
                window.append(torch.tensor(value)[:2])
            yield torch.stack(window)
