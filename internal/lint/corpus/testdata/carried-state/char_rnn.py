# The state of a character model goes on from chunk to chunk with its graph.
import torch
from torch import nn


class CharRNN(nn.Module):
    def __init__(self, vocab, hidden=256):
        super().__init__()
        self.embed = nn.Embedding(vocab, hidden)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True)
        self.head = nn.Linear(hidden, vocab)

    def forward(self, x, h=None):
        y, h = self.rnn(self.embed(x), h)
        return self.head(y), h


def train(model, chunks, lr=1e-3):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    ce = nn.CrossEntropyLoss()
    h = None
    for x, y in chunks:
        opt.zero_grad()
        logits, h = model(x, h)  # finding: carried-state
        loss = ce(logits.flatten(0, 1), y.flatten())
        loss.backward(retain_graph=True)  # also: retained-graph
        opt.step()
