# Failed batches are kept with their exceptions.
import logging
import torch

logger = logging.getLogger("train")


def train(model, loader, optimizer, criterion):
    failures = []
    for i, (x, y) in enumerate(loader):
        try:
            out = model(x.cuda(non_blocking=True))
            loss = criterion(out, y.cuda(non_blocking=True))
            loss.backward()
            optimizer.step()
        except RuntimeError as err:
            logger.exception("batch %d failed", i)
            failures.append((i, err))  # finding: kept-exception
        finally:
            optimizer.zero_grad()
    print(len(failures), "batches failed")
