# A trainer with a history of lists, one per name; the values are live tensors.
from collections import defaultdict

import torch


class Trainer:
    def __init__(self, model, criterion, lr=1e-3):
        self.model = model
        self.criterion = criterion
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.history = defaultdict(list)

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for batch in loader:
                self._step(*batch)

    def _step(self, x, y):
        self.optimizer.zero_grad()
        prediction = self.model(x)
        loss = self.criterion(prediction, y)
        loss.backward()
        self.optimizer.step()
        self.history["loss"].append(loss)  # finding: kept-loss
        self.history["lr"].append(self.optimizer.param_groups[0]["lr"])
