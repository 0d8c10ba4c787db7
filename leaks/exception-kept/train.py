"""Robust regression that skips batches with outliers."""
import torch
from torch import nn


class OutlierError(ValueError):
    pass


class Trainer:
    def __init__(self, model, device):
        self.model = model.to(device)
        self.device = device
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01, momentum=0.9)
        self.failures = []

    def compute_loss(self, x, y):
        prediction = self.model(x)
        errors = (prediction - y).abs()
        if errors.max() > 50:
            raise OutlierError("largest error %.1f" % errors.max())
        return nn.functional.smooth_l1_loss(prediction, y)

    def run(self, batches):
        done = 0
        for x, y in batches:
            self.optimizer.zero_grad()
            try:
                loss = self.compute_loss(x.to(self.device), y.to(self.device))  # leak?
            except OutlierError as error:
                self.failures.append(error)  # leak
                continue
            loss.backward()
            self.optimizer.step()
            done += 1
        return done


def batches(n, rows=64, dim=24):
    rule = torch.randn(dim, 1)
    for i in range(n):
        x = torch.randn(rows, dim)
        y = torch.tanh(x @ rule)
        if i % 4 == 3:
            y[0] = 1000.0
        yield x, y


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(24, 64), nn.ELU(), nn.Linear(64, 64), nn.ELU(), nn.Linear(64, 1))
    trainer = Trainer(net, "cuda" if torch.cuda.is_available() else "cpu")
    print("steps", trainer.run(batches(160)), "skipped", len(trainer.failures), "last:", str(trainer.failures[-1]))
