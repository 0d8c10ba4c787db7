# A dictionary with one entry per layer, overwritten in each step.
import torch


class Pruner:
    def __init__(self, model, amount):
        self.model = model
        self.amount = amount
        self.masks = {}
        self.scores = {}

    def step(self):
        for name, p in self.model.named_parameters():
            score = (p.detach() * p.grad).abs()
            self.scores[name] = score
            k = max(1, int(score.numel() * self.amount))
            self.masks[name] = score > score.flatten().kthvalue(k).values


def train(model, loader, criterion, optimizer):
    pruner = Pruner(model, 0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        pruner.step()
