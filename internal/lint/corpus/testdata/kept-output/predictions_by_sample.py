# Predictions are kept by sample with the graph of their batch.
import torch
from multiprocessing import Manager


def train(model, loader, opt, crit):
    shared = Manager().list()
    preds = {}
    for idx, x, y in loader:
        out = model(x)
        loss = crit(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        for i, o in zip(idx.tolist(), out.softmax(1)):
            preds[i] = o  # finding: kept-output
    return preds
