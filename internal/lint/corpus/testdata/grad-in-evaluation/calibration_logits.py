# Logits for the calibration are collected with gradients on.
import torch
import torch.nn.functional as F


class Collector:
    """Keeps logits of the validation set for calibration."""

    def __init__(self):
        self.logits = []
        self.labels = []

    def add(self, logits, labels):
        self.logits.append(logits)
        self.labels.append(labels)

    def ece(self):
        return F.cross_entropy(torch.cat(self.logits), torch.cat(self.labels)).item()


def calibrate(model, loader, device):
    model.eval()
    collector = Collector()
    for images, labels in loader:
        logits = model(images.to(device))  # finding: grad-in-evaluation
        collector.add(logits, labels.to(device))
    return collector.ece()


def train(model, train_loader, val_loader, optimizer, device):
    for epoch in range(30):
        model.train()
        for images, labels in train_loader:
            loss = F.cross_entropy(model(images.to(device)), labels.to(device))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
        print(epoch, calibrate(model, val_loader, device))
