"""Full-batch fitting with L-BFGS."""
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.linspace(-3, 3, 128, device=device)[:, None]
y = torch.sin(2 * x) + 0.1 * torch.randn_like(x)
model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1)).to(device)
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.2, max_iter=2, history_size=12, tolerance_change=0, tolerance_grad=0)


def closure():
    optimizer.zero_grad()
    loss = (model(x) - y).pow(2).mean()
    loss.backward()
    return loss


for step in range(80):
    loss = optimizer.step(closure)
print("loss %.4f" % float(loss))
