"""Few-shot episodes: a shared trunk, a fresh head in every step."""
import torch
from torch import nn

from fixed_heads import MonitoredHead

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
trunk = nn.Sequential(nn.Linear(32, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh()).to(device)
optimizer = torch.optim.Adam(trunk.parameters(), lr=1e-3)
scales = 0.0
for episode in range(200):
    head = MonitoredHead(64, 5).to(device)
    centres = torch.randn(5, 32, device=device)
    y = torch.randint(0, 5, (64,), device=device)
    x = centres[y] + 0.5 * torch.randn(64, 32, device=device)
    loss = nn.functional.cross_entropy(head(trunk(x)), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scales = 0.9 * scales + 0.1 * head.hidden_scale()
print("loss %.3f scale %.3f" % (loss.item(), scales))
