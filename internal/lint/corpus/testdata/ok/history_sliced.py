# A module begins a new list with the newest ten states in every forward.
import torch
import torch.nn as nn


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(8, 8)
        self.history = []

    def forward(self, x):
        h = self.history[-1] if self.history else torch.zeros(x.size(0), 8)
        h = self.cell(x, h)
        self.history = self.history[-10:] + [h.detach()]
        return h


def train(agent, loader, opt):
    for x, y in loader:
        loss = (agent(x) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
