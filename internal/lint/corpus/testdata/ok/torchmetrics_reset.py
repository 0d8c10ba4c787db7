# A metric's state is reset after each epoch.
import torch
import torchmetrics


def train(model, loader, val_loader, criterion, optimizer, epochs):
    accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=10)
    auroc = torchmetrics.AUROC(task="multiclass", num_classes=10, thresholds=100)
    for epoch in range(epochs):
        for x, y in loader:
            logits = model(x)
            loss = criterion(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            accuracy.update(logits.detach(), y)
        with torch.no_grad():
            for x, y in val_loader:
                auroc.update(model(x).softmax(-1), y)
        print(accuracy.compute().item(), auroc.compute().item())
        accuracy.reset()
        auroc.reset()
