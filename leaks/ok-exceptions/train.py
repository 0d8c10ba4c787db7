"""Skips batches with non-finite targets."""
import torch
from torch import nn


class Runner:
    def __init__(self, device):
        self.device = device
        self.model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.skipped, self.last_error = 0, None

    def step(self, x, y):
        prediction = self.model(x)
        loss = (prediction - y).pow(2).mean()
        if not torch.isfinite(loss):
            raise FloatingPointError("loss is %s" % loss.item())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run(self, steps):
        done = loss = 0
        while done < steps:
            x = torch.randn(64, 20, device=self.device)
            y = x.norm(dim=1, keepdim=True)
            if torch.rand(1).item() < 0.2:
                y[0] = float("nan")
            try:
                loss = self.step(x, y)
                done += 1
            except FloatingPointError as error:
                self.skipped += 1
                self.last_error = error
        return loss


if __name__ == "__main__":
    torch.manual_seed(0)
    runner = Runner("cuda" if torch.cuda.is_available() else "cpu")
    print("loss %.3f" % runner.run(120), "skipped", runner.skipped, runner.last_error)
