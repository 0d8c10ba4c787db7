# A logger takes what it is told by keyword and keeps the dictionaries.
import torch


class Logger:
    def __init__(self):
        self.records = []

    def log(self, **values):
        self.records.append(values)  # finding: kept-loss

    def dump(self):
        for record in self.records:
            print({name: float(value) for name, value in record.items()})


def train(model, loader, optimizer, criterion):
    logger = Logger()
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.log(loss=loss, accuracy=(out.argmax(1) == y).float().mean())
    logger.dump()
