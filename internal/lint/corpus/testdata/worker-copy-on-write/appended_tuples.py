# Sample tuples are appended in __init__; the index is as large as the data set.
import csv

import torch
from torch.utils.data import DataLoader, Dataset


class Ratings(Dataset):
    def __init__(self, path):
        self.rows = []
        with open(path, newline="") as handle:
            for row in csv.reader(handle):
                self.rows.append((row[0], row[1], float(row[2])))  # finding: worker-copy-on-write

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        user, item, rating = self.rows[i]
        return hash(user) % 65536, hash(item) % 65536, torch.tensor(rating)


train_loader = DataLoader(Ratings("ratings.csv"), batch_size=1024, num_workers=4)
