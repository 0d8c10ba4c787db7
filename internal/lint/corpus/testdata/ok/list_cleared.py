# The list is emptied every hundred steps.
import torch


class Trainer:
    def __init__(self, model, criterion, optimizer):
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.recent = []

    def train(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = self.criterion(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.recent.append(loss.detach())
            if len(self.recent) == 100:
                print(i, torch.stack(self.recent).mean().item())
                self.recent.clear()
