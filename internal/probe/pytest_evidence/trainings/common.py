"""What most of the trainings share: a small network, batches and a loop."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.block = nn.Sequential(nn.Linear(16, width), nn.ReLU(), nn.Linear(width, width))
        self.head = nn.Linear(width, 4)

    def forward(self, x):
        x = F.relu(self.block(x))
        return self.head(x)


def batches(count=24, size=8):
    generator = torch.Generator().manual_seed(1)
    return [(torch.randn(size, 16, generator=generator), torch.randint(0, 4, (size,), generator=generator))
            for _ in range(count)]


def fit(model, each=None, count=24, optimizer=None):
    """A plain loop; each(step, x, out, loss) runs after every step's backward."""
    optimizer = optimizer or torch.optim.SGD(model.parameters(), lr=0.01)
    for step, (x, y) in enumerate(batches(count)):
        out = model(x)
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if each is not None:
            each(step, x, out, loss)
    return model
