"""Regression of a dynamical system with a callback-driven trainer."""
import torch
from torch import nn

from callbacks import LearningRateMonitor, ResidualReport


class Trainer:
    def __init__(self, model, optimizer, callbacks, device):
        self.model, self.optimizer, self.callbacks, self.device = model, optimizer, callbacks, device

    def fire(self, event, *args):
        for callback in self.callbacks:
            getattr(callback, event)(self, *args)

    def training_step(self, state, nxt):
        prediction = state + self.model(state)
        residual = prediction - nxt
        return {"loss": residual.pow(2).mean(), "residual": residual}

    def fit(self, batches):
        self.fire("on_train_start")
        for step, (state, nxt) in enumerate(batches):
            self.optimizer.zero_grad()
            outputs = self.training_step(state.to(self.device), nxt.to(self.device))
            outputs["loss"].backward()
            self.optimizer.step()
            self.fire("on_batch_end", step, outputs)
        self.fire("on_train_end")


def trajectories(count, n=64, dim=32, dt=0.05):
    a = torch.randn(dim, dim) / dim ** 0.5
    for _ in range(count):
        state = torch.randn(n, dim)
        yield state, state + dt * torch.tanh(state @ a)


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(32, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 32)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    Trainer(model, optimizer, [LearningRateMonitor(), ResidualReport()], device).fit(trajectories(120))
