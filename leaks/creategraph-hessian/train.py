"""Auto-decoder: codes are refined by a curvature-aware step before each update of the decoder."""
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
decoder = nn.Sequential(nn.Linear(16, 64), nn.Tanh(), nn.Linear(64, 96)).to(device)
optimizer = torch.optim.Adam(decoder.parameters(), lr=1e-3)
codes = torch.randn(256, 16, device=device) * 0.1
shapes = torch.tanh(torch.randn(256, 4) @ torch.randn(4, 96)).to(device)


def refine(code, shape, rate=0.1):
    z = code.clone().requires_grad_()
    energy = (decoder(z) - shape).pow(2).sum() / len(shape) + 1e-3 * z.pow(2).sum()
    energy.backward(create_graph=True)  # leak
    curvature, = torch.autograd.grad(z.grad.pow(2).sum(), z)
    return z.detach() - rate * (z.grad.detach() / (1 + curvature.abs()))


for step in range(120):
    pick = torch.randint(0, 256, (64,), device=device)
    codes[pick] = refine(codes[pick], shapes[pick])  # leak?
    loss = (decoder(codes[pick]) - shapes[pick]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.4f" % loss.item())
