# A mixture of experts leaves its balancing losses on the layer; only the newest is ever used.
import torch
from torch import nn


class MoE(nn.Module):
    def __init__(self, dim, experts=8):
        super().__init__()
        self.gate = nn.Linear(dim, experts)
        self.experts = nn.ModuleList([nn.Linear(dim, dim) for _ in range(experts)])
        self.aux = []

    def forward(self, x):
        probs = self.gate(x).softmax(-1)
        top = probs.argmax(-1)
        balance = (probs.mean(0) * torch.bincount(top, minlength=probs.size(-1)) / top.numel()).sum()
        self.aux.append(balance)  # finding: kept-activation|kept-loss
        return sum(probs[..., i : i + 1] * e(x) for i, e in enumerate(self.experts))


def step(model, moe, x, y, loss_fn, optimizer):
    loss = loss_fn(model(x), y) + 0.01 * moe.aux[-1]
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
