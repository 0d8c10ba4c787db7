# The LSTM's state goes from one batch into the next with its whole history.
import torch
from torch import nn


class CharModel(nn.Module):
    def __init__(self, vocab, hidden=256):
        super().__init__()
        self.embed = nn.Embedding(vocab, hidden)
        self.lstm = nn.LSTM(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, ids, state=None):
        h, state = self.lstm(self.embed(ids), state)
        return self.out(h), state


def train(model, batches):
    optimizer = torch.optim.Adam(model.parameters())
    state = None
    for ids, target in batches:
        logits, state = model(ids, state)  # finding: carried-state
        loss = nn.functional.cross_entropy(logits.transpose(1, 2), target)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # also: retained-graph
        optimizer.step()
