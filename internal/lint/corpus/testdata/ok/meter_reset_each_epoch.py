# A meter of numbers, reset in each epoch.
import torch
from torch import nn


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum, self.count = 0.0, 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n


def run(model, loader, epochs, device):
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    criterion = nn.CrossEntropyLoss()
    meter = AverageMeter()
    for epoch in range(epochs):
        meter.reset()
        for images, target in loader:
            output = model(images.to(device))
            loss = criterion(output, target.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            meter.update(loss.item(), images.size(0))
        print(f"epoch {epoch}: {meter.sum / meter.count:.4f}")
