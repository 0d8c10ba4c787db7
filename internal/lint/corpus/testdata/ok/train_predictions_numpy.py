# Predictions of an epoch as class numbers for the metrics of scikit-learn.
import torch
from sklearn.metrics import f1_score


def train_epoch(model, loader, criterion, optimizer):
    y_true, y_pred, losses = [], [], []
    for x, y in loader:
        logits = model(x)
        loss = criterion(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        y_true.extend(y.tolist())
        y_pred.extend(logits.argmax(1).tolist())
    return sum(losses) / len(losses), f1_score(y_true, y_pred, average="macro")
