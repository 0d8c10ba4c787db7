"""Generates for a stream of requests with a small untrained model."""
import random

import torch
from torch import nn

from fixed_engine import Engine


class Model(nn.Module):
    def __init__(self, vocab=256, dim=48):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.out(self.rnn(self.embed(ids))[0][:, -1])


def main():
    random.seed(0)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    engine = Engine(Model().to(device).eval(), 16, device)
    for tick in range(160):
        for i in range(2):
            engine.add_request("r%05d-%d" % (tick, i), [random.randrange(256) for _ in range(8)])
        engine.step()
    print("completed", engine.completed)


if __name__ == "__main__":
    main()
