# Averaged weights by the tools of torch.optim.
import torch
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn


def train(model, loader, criterion, epochs, swa_start=75):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    swa_model = AveragedModel(model)
    scheduler = SWALR(optimizer, swa_lr=0.05)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        if epoch > swa_start:
            swa_model.update_parameters(model)
            scheduler.step()
    update_bn(loader, swa_model)
    return swa_model
