"""A small recurrent network that predicts the next byte of a text."""
import torch.nn as nn


class CharModel(nn.Module):
    """Embedding, one GRU layer, and a linear layer to the next byte."""

    def __init__(self, symbols=256, width=64):
        super().__init__()
        self.embed = nn.Embedding(symbols, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, symbols)

    def forward(self, text):
        hidden, _ = self.rnn(self.embed(text))
        return self.head(hidden)
