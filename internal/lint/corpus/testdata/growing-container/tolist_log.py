# The trainer keeps all predictions of all steps as Python floats.
import torch


class Monitor:
    def __init__(self):
        self.predictions = []


def train(model, loader, criterion, optimizer):
    monitor = Monitor()
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        monitor.predictions.append(out.detach().softmax(-1).tolist())  # finding: growing-container
    return monitor
