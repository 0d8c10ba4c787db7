"""Gradual unfreezing from the top."""
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
layers = [nn.Linear(64, 64) for _ in range(3)]
model = nn.Sequential(layers[0], nn.ReLU(), layers[1], nn.ReLU(), layers[2], nn.ReLU(), nn.Linear(64, 8)).to(device)
for layer in layers:
    layer.requires_grad_(False)
optimizer = torch.optim.Adam(model[-1].parameters(), lr=1e-3)
for step in range(200):
    if step in (20, 40, 60):
        layer = layers.pop()
        layer.requires_grad_(True)
        optimizer.add_param_group({"params": layer.parameters(), "lr": 3e-4})
    x = torch.randn(96, 64, device=device)
    loss = nn.functional.cross_entropy(model(x), x[:, :8].argmax(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.3f" % loss.item())
