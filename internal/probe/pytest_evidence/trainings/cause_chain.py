"""Skipped batches raise from the one before, so that the last exception leads to the frames of all."""
import torch
import torch.nn.functional as F
from common import Net, batches


class Skipped(Exception):
    pass


class Trainer:
    def __init__(self):
        self.model = Net()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.last = None

    def step(self, x, y):
        loss = F.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        raise Skipped("too large") from self.last

    def run(self):
        for x, y in batches():
            try:
                self.step(x, y)
            except Skipped as error:
                self.last = error  # leak


Trainer().run()
