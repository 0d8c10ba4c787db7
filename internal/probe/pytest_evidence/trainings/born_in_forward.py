import torch
import torch.nn as nn
import torch.nn.functional as F
from common import batches


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.outer = nn.Linear(16, 24), nn.Linear(24, 4)
        self.seen = []

    def forward(self, x):
        hidden = F.relu(self.inner(x))
        squashed = torch.tanh(hidden)  # born
        result = self.outer(squashed)
        self.seen.append(squashed)  # leak
        return result


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for x, y in batches():
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()
