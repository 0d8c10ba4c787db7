"""Two losses over one forward pass, with the gradient norms of both."""
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
trunk = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU()).to(device)
heads = nn.ModuleList([nn.Linear(32, 1), nn.Linear(32, 1)]).to(device)
optimizer = torch.optim.Adam([*trunk.parameters(), *heads.parameters()], lr=1e-3)
for step in range(120):
    x = torch.randn(128, 20, device=device)
    hidden = trunk(x)
    first = (heads[0](hidden) - x[:, :1].sin()).pow(2).mean()
    second = (heads[1](hidden) - x[:, 1:2].cos()).abs().mean()
    optimizer.zero_grad(set_to_none=True)
    first.backward(retain_graph=True)
    norm = trunk[0].weight.grad.norm().item()
    second.backward()
    optimizer.step()
    if step % 40 == 0:
        print("step %d norm %.3f loss %.3f" % (step, norm, (first + second).item()))
