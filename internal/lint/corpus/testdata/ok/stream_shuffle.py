# A stream that is shuffled through a buffer of fixed size, and counts what it has given.
import random

import torch
from torch.utils.data import IterableDataset


class Shuffled(IterableDataset):
    def __init__(self, source, size=256):
        self.source, self.size = source, size
        self.buffer = []
        self.lengths = []

    def __iter__(self):
        for record in self.source:
            window = torch.as_tensor(record)
            self.lengths.append(len(record))
            self.buffer.append(window)
            if len(self.buffer) > self.size:
                yield self.buffer.pop(random.randrange(self.size))
        while self.buffer:
            yield self.buffer.pop()
