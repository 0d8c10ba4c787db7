# A pool of threads gives back plain lists.
import multiprocessing.dummy as mp

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 8))


def embed(x):
    with torch.inference_mode():
        return net(x).argmax(-1).tolist()


def run(dataset):
    pool = mp.Pool(4)
    labels = pool.map(embed, DataLoader(dataset, batch_size=16))
    return labels
