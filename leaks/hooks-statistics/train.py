"""Deep residual MLP; are the activations of the last blocks larger?"""
import torch
from torch import nn

from stats import ActivationStats


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc1 = nn.Linear(dim, 2 * dim)
        self.fc2 = nn.Linear(2 * dim, dim)

    def forward(self, x):
        return x + self.fc2(torch.nn.functional.gelu(self.fc1(self.norm(x))))


class ResMLP(nn.Module):
    def __init__(self, dim=48, blocks=4):
        super().__init__()
        self.blocks = nn.ModuleList(Block(dim) for _ in range(blocks))
        self.head = nn.Linear(dim, 1)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def train(steps=120):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = ResMLP().to(device)
    stats = ActivationStats()
    stats.watch("block0", model.blocks[0])
    stats.watch("block3", model.blocks[3])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(steps):
        x = torch.randn(64, 48, device=device)
        y = x[:, :1] * x[:, 1:2]
        loss = nn.functional.huber_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item(), stats.summary())


train()
