# A GRU keeps its hidden state on the module between calls.
import torch
from torch import nn


class Controller(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.cell = nn.GRUCell(inputs, hidden)
        self.head = nn.Linear(hidden, 4)
        self.h = torch.zeros(1, hidden)

    def forward(self, x):
        self.h = self.cell(x, self.h)  # finding: carried-state
        return self.head(self.h)


def train(env, controller, optimizer, steps):
    x = env.reset()
    for _ in range(steps):
        action = controller(x)
        loss = env.cost(action)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # also: retained-graph
        optimizer.step()
        x = env.observe()
