# Detached copies by sample.
import torch


def train(model, loader, opt, crit):
    table = {}
    for epoch in range(10):
        for idx, x, y in loader:
            out = model(x)
            loss = crit(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            for i, o in zip(idx.tolist(), out.detach().softmax(1)):
                table[i] = o.clone()
