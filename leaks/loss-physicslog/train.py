"""Physics-informed network for u'' + u = 0, u(0) = 0, u'(0) = 1."""
import torch
from torch import nn

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class PINN(nn.Module):
    def __init__(self, width=64, depth=3):
        super().__init__()
        layers = [nn.Linear(1, width), nn.Tanh()]
        for _ in range(depth - 1):
            layers += [nn.Linear(width, width), nn.Tanh()]
        self.body = nn.Sequential(*layers, nn.Linear(width, 1))

    def forward(self, t):
        return self.body(t)


def derivative(y, t):
    return torch.autograd.grad(y, t, torch.ones_like(y), create_graph=True)[0]


def losses(model):
    t = (torch.rand(256, 1, device=device) * 6.28).requires_grad_()
    u = model(t)
    du = derivative(u, t)
    residual = derivative(du, t) + u
    t0 = torch.zeros(1, 1, device=device, requires_grad=True)
    u0 = model(t0)
    boundary = (u0 ** 2).mean() + ((derivative(u0, t0) - 1) ** 2).mean()
    return residual, boundary


model = PINN().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
log = {}
for epoch in range(120):
    residual, boundary = losses(model)
    loss = (residual ** 2).mean() + 10 * boundary
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    log[epoch] = {"loss": loss, "residual": residual.abs().max(), "boundary": boundary}  # leak
best = min(log, key=lambda e: float(log[e]["loss"]))
print("best epoch", best, "loss", float(log[best]["loss"]))
