# A memory that a module has keeps its newest rows.
import torch
import torch.nn as nn


class Memory:
    def __init__(self, n):
        self.n = n
        self.items = []

    def write(self, h):
        self.items.append(h.detach())
        self.items = self.items[-self.n:]

    def read(self):
        return torch.stack(self.items).mean(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(8, 8)
        self.memory = Memory(16)

    def forward(self, x):
        h = self.f(x)
        self.memory.write(h)
        return h + self.memory.read()


def main(loader):
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=1e-2)
    for x, y in loader:
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()


main([])
