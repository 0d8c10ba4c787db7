"""Actor that is exported for the simulator at regular intervals."""
import argparse
import io

import torch
from torch import nn


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.mean = nn.Linear(64, 3)

    def forward(self, x):
        return torch.tanh(self.mean(self.body(x)))


def export(model, example):
    traced = torch.jit.trace(model, example)
    buffer = io.BytesIO()
    torch.jit.save(traced, buffer)
    return len(buffer.getvalue())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--export-every", type=int, default=4)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Actor().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    teacher = torch.randn(12, 3, device=device)
    for step in range(1, args.steps + 1):
        x = torch.randn(96, 12, device=device)
        loss = (model(x) - torch.tanh(x @ teacher)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    size = export(model, x[:1])
    print("loss %.3f export of %d bytes" % (loss.item(), size))
