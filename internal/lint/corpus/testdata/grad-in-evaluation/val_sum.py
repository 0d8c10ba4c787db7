# The sum of the validation losses chains the graphs of all validation batches.
import torch


def evaluate(model, data_loader, criterion):
    model.eval()
    total = 0
    correct = 0
    for inputs, labels in data_loader:
        logits = model(inputs)  # finding: grad-in-evaluation
        total += criterion(logits, labels)  # also: summed-loss|grad-in-evaluation
        correct += (logits.argmax(dim=1) == labels).sum().item()
    return total / len(data_loader), correct / len(data_loader.dataset)


def fit(model, loaders, criterion, optimizer, epochs):
    for _ in range(epochs):
        model.train()
        for inputs, labels in loaders["train"]:
            loss = criterion(model(inputs), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        val_loss, acc = evaluate(model, loaders["val"], criterion)
        print(f"{val_loss.item():.3f} {acc:.3f}")
