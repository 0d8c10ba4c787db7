# The meter's window is a plain list, and the engine feeds it with live tensors.
import torch

from meters import Meter


def train_one_epoch(model, criterion, optimizer, loader, device, meter: Meter):
    model.train()
    for images, targets in loader:
        images, targets = images.to(device), targets.to(device)
        output = model(images)
        loss = criterion(output, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update(loss, images.shape[0])  # finding: kept-loss


def main(model, criterion, loader, device="cpu"):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    meter = Meter("loss")
    for _ in range(90):
        train_one_epoch(model, criterion, optimizer, loader, device, meter)
    print(meter)
