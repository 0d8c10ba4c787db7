"""Instance discrimination with a memory bank."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
samples = torch.randn(400, 32, device=device)
bank = F.normalize(torch.randn(400, 16, device=device), dim=1)
encoder = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 16)).to(device)
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1, momentum=0.9)
for step in range(120):
    index = torch.randint(0, 400, (64,), device=device)
    feature = F.normalize(encoder(samples[index] + 0.1 * torch.randn(64, 32, device=device)), dim=1)
    loss = F.cross_entropy(feature @ bank.T / 0.1, index)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    bank[index] = F.normalize(0.5 * bank[index] + 0.5 * feature.detach(), dim=1)
print("loss %.3f" % loss.item())
