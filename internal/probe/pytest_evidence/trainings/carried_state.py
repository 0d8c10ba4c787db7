import torch
import torch.nn as nn
from common import batches


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(16, 4)  # a fixed reservoir: only what follows it is trained
        self.bias = nn.Parameter(torch.zeros(4))

    def forward(self, x, h):
        h = self.cell(x, h)
        return h + self.bias, h


def train():
    model = Recurrent()
    optimizer = torch.optim.SGD([model.bias], lr=0.1)
    h = torch.zeros(8, 4)
    for x, y in batches():
        out, h = model(x, h)  # leak
        loss = nn.functional.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()


train()
