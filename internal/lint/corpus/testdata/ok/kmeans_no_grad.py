# Centroids carried from step to step under no_grad, plus a prototype bank by class.
import torch


@torch.no_grad()
def update_prototypes(prototypes, features, labels, momentum=0.9):
    for c in labels.unique():
        mean = features[labels == c].mean(0)
        prototypes[int(c)] = momentum * prototypes[int(c)] + (1 - momentum) * mean
    return prototypes


def train(model, loader, criterion, optimizer, classes, dim):
    prototypes = torch.zeros(classes, dim)
    for x, y in loader:
        features = model.features(x)
        loss = criterion(model.classifier(features), y) + (features - prototypes[y]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        prototypes = update_prototypes(prototypes, features, y)
