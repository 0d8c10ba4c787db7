"""Regression of a sum of sines, with a check for NaNs on the hidden layer."""
import torch
from torch import nn


def check(output):
    if not torch.isfinite(output).all():
        raise FloatingPointError("the hidden layer is not finite")


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(16, 64), nn.Tanh(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    frequencies = torch.randn(16, device=device)
    for step in range(200):
        x = torch.rand(64, 16, device=device) * 6 - 3
        y = (x * frequencies).sin().sum(1, keepdim=True)
        model[1].register_forward_hook(lambda module, inputs, output: check(output))  # leak
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.4f" % loss.item())


if __name__ == "__main__":
    main()
