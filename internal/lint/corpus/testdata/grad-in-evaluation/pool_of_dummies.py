# A pool of threads embeds a data set with gradients on, and gives back a list of all outputs.
import multiprocessing.dummy as mp

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 8))


def embed(x):
    return net(x)  # finding: grad-in-evaluation


def run(dataset):
    pool = mp.Pool(4)
    vectors = pool.map(embed, DataLoader(dataset, batch_size=16))
    return torch.cat(vectors)
