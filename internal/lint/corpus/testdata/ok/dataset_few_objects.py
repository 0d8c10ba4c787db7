# A handful of shards: a short list of names is no list of a million strings.
import torch
from torch.utils.data import DataLoader, IterableDataset


class Shards(IterableDataset):
    def __init__(self, shards=("train-0.pt", "train-1.pt", "train-2.pt")):
        self.shards = list(shards)

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        start, stride = (0, 1) if info is None else (info.id, info.num_workers)
        for name in self.shards[start::stride]:
            yield from torch.load(name)


loader = DataLoader(Shards(), batch_size=32, num_workers=3)
