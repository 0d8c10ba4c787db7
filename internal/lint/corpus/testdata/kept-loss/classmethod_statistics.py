# Statistics on the class, filled through a classmethod.
import torch


class Statistics:
    losses = []

    @classmethod
    def add(cls, loss):
        cls.losses.append(loss)  # finding: kept-loss


def train(model, loader, optimizer):
    for x in loader:
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        Statistics.add(loss)
    print(len(Statistics.losses))
