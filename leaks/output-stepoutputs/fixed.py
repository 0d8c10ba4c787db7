"""Quantile forecaster with a hand-written Lightning-like loop."""
import math

import torch
from torch import nn


class Forecaster(nn.Module):
    steps_per_epoch = 30

    def __init__(self, history=48, horizon=12, quantiles=(0.1, 0.5, 0.9)):
        super().__init__()
        self.quantiles = quantiles
        self.horizon = horizon
        self.rnn = nn.GRU(1, 64, batch_first=True)
        self.head = nn.Linear(64, horizon * len(quantiles))
        self.training_step_outputs = []

    def forward(self, x):
        _, h = self.rnn(x)
        return self.head(h[-1]).view(-1, self.horizon, len(self.quantiles))

    def loss(self, prediction, y):
        error = y[..., None] - prediction
        q = torch.tensor(self.quantiles, device=y.device)
        return torch.maximum(q * error, (q - 1) * error).mean()

    def training_step(self, batch):
        x, y = batch
        prediction = self(x)
        log = {"loss": self.loss(prediction, y), "prediction": prediction}
        self.training_step_outputs.append({k: v.detach() for k, v in log.items() if k != "prediction"})
        return log["loss"]

    def on_train_epoch_end(self):
        self.training_step_outputs, outputs = [], self.training_step_outputs
        losses = [o["loss"].item() for o in outputs]
        print("epoch loss %.4f" % (sum(losses) / len(losses)))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=2e-3)


def batch(n=32, history=48, horizon=12):
    start = torch.rand(n, 1) * 100
    t = start + torch.arange(history + horizon)
    series = torch.sin(t * 2 * math.pi / 24) + 0.1 * torch.randn_like(t)
    return series[:, :history, None], series[:, history:]


def fit(module, epochs, device):
    module.to(device).train()
    optimizer = module.configure_optimizers()
    for _ in range(epochs):
        for _ in range(module.steps_per_epoch):
            optimizer.zero_grad()
            module.training_step([t.to(device) for t in batch()]).backward()
            optimizer.step()
        module.on_train_epoch_end()


if __name__ == "__main__":
    torch.manual_seed(0)
    fit(Forecaster(), 4, "cuda" if torch.cuda.is_available() else "cpu")
