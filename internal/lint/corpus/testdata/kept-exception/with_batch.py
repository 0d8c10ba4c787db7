# A skip list holds the number of the batch and what was raised.
import math

import torch


class BadLoss(Exception):
    pass


def step(model, opt, batch):
    loss = model(**batch).loss
    if not math.isfinite(loss.item()):
        raise BadLoss("loss is not finite")
    loss.backward()
    opt.step()
    opt.zero_grad()


def train(model, loader, skipped=None):
    opt = torch.optim.AdamW(model.parameters())
    skipped = [] if skipped is None else skipped
    for i, batch in enumerate(loader):
        try:
            step(model, opt, batch)
        except BadLoss as err:
            opt.zero_grad()
            skipped.append((i, err))  # finding: kept-exception
    return skipped
