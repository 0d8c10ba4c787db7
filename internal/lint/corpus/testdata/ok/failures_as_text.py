# Failures are kept as text, and the last exception.
import logging
import torch

logger = logging.getLogger("train")


def train(model, loader, optimizer, criterion):
    failures, last = [], None
    for i, (x, y) in enumerate(loader):
        try:
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        except RuntimeError as err:
            logger.exception("batch %d failed", i)
            failures.append((i, str(err), type(err).__name__))
            last = err
        finally:
            optimizer.zero_grad()
    if last is not None:
        print(len(failures), "failed, at last", last)
