# The epoch's list ends with the epoch, but until then it keeps the graph of each step.
import torch
import torch.nn as nn


def train_epoch(model, loader, optimizer, device):
    criterion = nn.CrossEntropyLoss()
    losses = []
    model.train()
    for data, target in loader:
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        loss = criterion(model(data), target)
        loss.backward()
        optimizer.step()
        losses.append(loss)  # finding: kept-loss
    return torch.stack(losses).mean().item()


def main(model, loader, device):
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(100):
        print(epoch, train_epoch(model, loader, optimizer, device))
