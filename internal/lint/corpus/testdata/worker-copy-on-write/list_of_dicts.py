# A data set keeps its annotations as a list of dictionaries and is read by workers.
import json

import torch
from torch.utils.data import DataLoader, Dataset


class Captions(Dataset):
    def __init__(self, path, tokenizer):
        self.tokenizer = tokenizer
        with open(path) as lines:
            self.samples = [json.loads(line) for line in lines]  # finding: worker-copy-on-write

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        sample = self.samples[index]
        return torch.tensor(self.tokenizer(sample["caption"])), sample["label"]


def loader(path, tokenizer):
    return DataLoader(Captions(path, tokenizer), batch_size=32, num_workers=8, shuffle=True)
