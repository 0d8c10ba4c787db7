# A trainer has a train of its own, with a flag.
import torch


class Trainer:
    def __init__(self, model):
        self.model = model

    def train(self, flag):
        self.flag = flag

    def encode(self, x):
        return [x]


def go(trainer, loader):
    trainer.train(False)
    out = []
    for x in loader:
        out.append(trainer.encode(x))
    return out
