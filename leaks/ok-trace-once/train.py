"""Distils into a traced reference."""
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
reference = nn.Sequential(nn.Linear(12, 64), nn.Tanh(), nn.Linear(64, 3)).to(device).eval()
reference = torch.jit.trace(reference, torch.randn(2, 12, device=device))
student = nn.Sequential(nn.Linear(12, 24), nn.Tanh(), nn.Linear(24, 3)).to(device)
optimizer = torch.optim.Adam(student.parameters(), lr=2e-3)
for step in range(120):
    x = torch.randn(256, 12, device=device)
    with torch.no_grad():
        target = reference(x)
    loss = (student(x) - target).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.4f" % loss.item())
