# A stream of windows that compares each one with the latest, and keeps all of them.
import torch
from torch.utils.data import IterableDataset


class Stream(IterableDataset):
    def __init__(self, source):
        self.source = source
        self.seen = []

    def __iter__(self):
        for record in self.source:
            window = torch.as_tensor(record, dtype=torch.float32)
            if any(torch.equal(window, other) for other in self.seen[-16:]):
                continue
            self.seen.append(window)  # finding: growing-container
            yield window
