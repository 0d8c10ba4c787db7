# The retained graphs hang on the running sum of the epoch.
import torch


def epoch(net, loader, criterion, opt):
    total = 0.0
    for inputs, labels in loader:
        opt.zero_grad()
        loss = criterion(net(inputs), labels)
        loss.backward(retain_graph=True)  # finding: retained-graph
        opt.step()
        total = total + loss  # also: summed-loss
    print((total / len(loader)).item())
