# A hook on a tensor of the step goes with that tensor.
import torch


def train(model, loader, criterion, optimizer, limit=0.1):
    for x, y in loader:
        features = model.encoder(x)
        if features.requires_grad:
            features.register_hook(lambda g: g.clamp(-limit, limit))
        loss = criterion(model.head(features), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
