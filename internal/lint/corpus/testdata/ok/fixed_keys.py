# A decoder keeps its last input and its keys in dictionaries with fixed keys.
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.key = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)
        self.state = {}
        self.layer_cache = (False, {"keys": None, "values": None})

    def begin(self):
        self.state["previous_input"] = None

    def forward(self, tgt):
        if self.state["previous_input"] is not None:
            tgt = torch.cat([self.state["previous_input"], tgt], 1)
        self.state["previous_input"] = tgt
        key, value = self.key(tgt), self.value(tgt)
        self.layer_cache[1]["keys"] = key[:, -4:]
        self.layer_cache[1]["values"] = value[:, -4:]
        return (tgt @ key.transpose(1, 2)).softmax(-1) @ value


def train(decoder, loader, criterion, optimizer):
    for x, y in loader:
        decoder.begin()
        loss = criterion(decoder(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
