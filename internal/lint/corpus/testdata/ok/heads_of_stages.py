# The losses of one step are stacked and backward goes through them.
import torch
from torch import nn


class Stages(nn.Module):
    def __init__(self, depth, width=64):
        super().__init__()
        self.blocks = nn.ModuleList()
        for _ in range(depth):
            self.blocks.append(nn.Linear(width, width))
        self.heads = nn.ModuleList(nn.Linear(width, 1) for _ in range(depth))

    def forward(self, x):
        outs = []
        for block, head in zip(self.blocks, self.heads):
            x = torch.relu(block(x))
            outs.append(head(x))
        return outs


def train(loader):
    net = Stages(8)
    opt = torch.optim.Adam(net.parameters())
    for x, y in loader:
        losses = []
        for out in net(x):
            losses.append(nn.functional.mse_loss(out, y))
        opt.zero_grad()
        torch.stack(losses).sum().backward()
        opt.step()
