import torch
import torch.nn as nn
import torch.nn.functional as F
from common import batches


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.outer = nn.Linear(16, 24), nn.Linear(24, 4)

    def forward(self, x):
        hidden = F.relu(self.inner(x))
        return self.outer(hidden), hidden.detach().sigmoid()  # born


def train():
    model, gates = Net(), []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for x, y in batches():
        out, gate = model(x)
        gates.append(gate)  # leak
        optimizer.zero_grad()
        F.cross_entropy(out, y).backward()
        optimizer.step()


train()
