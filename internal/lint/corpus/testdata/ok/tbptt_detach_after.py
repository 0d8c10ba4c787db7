# The state is detached after each chunk, in place and as a tuple.
import torch
from torch import nn


def train(lstm, head, chunks, optimizer):
    loss_fn = nn.CrossEntropyLoss()
    h, c = None, None
    state = None
    for x, y in chunks:
        out, state = lstm(x, state)
        loss = loss_fn(head(out).flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        h, c = state
        state = (h.detach(), c.detach())
