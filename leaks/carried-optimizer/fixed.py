"""Sums of digit sequences by a small transformer layer."""
import torch
from torch import nn

from fixed_heavyball import HeavyBall


class Adder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.embed = nn.Embedding(10, dim)
        self.position = nn.Parameter(torch.randn(8, dim) * 0.1)
        self.layer = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.out = nn.Linear(dim, 73)

    def forward(self, digits):
        return self.out(self.layer(self.embed(digits) + self.position).mean(1))


torch.manual_seed(3)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = Adder().to(device)
optimizer = HeavyBall(model.parameters(), lr=0.05)
for step in range(120):
    digits = torch.randint(0, 10, (64, 8), device=device)
    loss = nn.functional.cross_entropy(model(digits), digits.sum(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 40 == 0:
        print(step, round(loss.item(), 3))
