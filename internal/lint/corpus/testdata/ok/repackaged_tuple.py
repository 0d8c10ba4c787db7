# The state is cut by a function of its own before each chunk.
import torch
from torch import nn


def repackage(h):
    return h.detach() if torch.is_tensor(h) else tuple(repackage(v) for v in h)


def train(model, data, opt, bptt=35):
    ce = nn.CrossEntropyLoss()
    h = model.init_hidden(20)
    total = 0.0
    for i in range(0, data.size(0) - 1, bptt):
        x, y = data[i : i + bptt], data[i + 1 : i + 1 + bptt].reshape(-1)
        h = repackage(h)
        out, h = model(x, h)
        loss = ce(out, y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        opt.step()
        total += loss.item()
    return total
