"""A small model of text, byte by byte. Put your own here."""
import torch.nn.functional as F
from torch import nn

import data


class CharModel(nn.Module):
    """Guesses the next byte at every place of a text."""

    def __init__(self, width=64):
        super().__init__()
        self.embed = nn.Embedding(data.BYTES, width)
        self.core = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, data.BYTES)

    def forward(self, text):
        # A feature that is wanted later is returned, not put on self: there it would outlive the step.
        hidden, _ = self.core(self.embed(text))
        return self.head(hidden)


def loss_of(model, text, follows):
    """Return the cross-entropy of the model's guesses."""
    return F.cross_entropy(model(text).flatten(0, 1), follows.flatten())
