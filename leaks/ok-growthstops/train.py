"""A look at the first hundred losses."""
import torch
from torch import nn


class Warmup:
    """Scales the loss by its mean over the first steps."""

    def __init__(self, steps):
        self.steps = steps
        self.losses = []

    def __call__(self, loss):
        if len(self.losses) < self.steps:
            self.losses.append(loss)
        return torch.stack([l.detach() for l in self.losses[:10]]).mean()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    warmup = Warmup(100)
    for step in range(260):
        x = torch.randn(96, 16, device=device)
        loss = (model(x) - x.pow(2).mean(1, keepdim=True)).pow(2).mean()
        scaled = loss / (warmup(loss) + 1e-8)
        optimizer.zero_grad()
        scaled.backward()
        optimizer.step()
    print("loss %.4f" % loss.item())


main()
