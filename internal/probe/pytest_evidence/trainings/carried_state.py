import torch
import torch.nn as nn
from common import batches


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(16, 12)
        self.head = nn.Linear(12, 4)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.head(h), h


def train():
    model = Recurrent()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    h = torch.zeros(8, 12)
    for x, y in batches():
        out, h = model(x, h)  # leak
        loss = nn.functional.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()


train()
