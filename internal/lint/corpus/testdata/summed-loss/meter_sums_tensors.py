# A meter sums losses with their graphs, and nobody resets it.
import torch
from torch import nn
from torch.utils.data import DataLoader


class AverageMeter:
    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.sum, self.count = 0.0, 0

    def update(self, val, n=1):
        self.sum += val * n  # finding: summed-loss
        self.count += n


def run(model, train_set, epochs, device):
    loader = DataLoader(train_set, batch_size=64, shuffle=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    meter = AverageMeter("loss")
    for epoch in range(epochs):
        for images, target in loader:
            images, target = images.to(device), target.to(device)
            output = model(images)
            loss = criterion(output, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            meter.update(loss, images.size(0))
        print(f"epoch {epoch}: {meter.sum / meter.count:.4f}")
