"""Two-phase fine-tuning: the trunk joins after sixty steps."""
import torch
from torch import nn


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    trunk = nn.Sequential(nn.Linear(40, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU()).to(device)
    head = nn.Linear(128, 5).to(device)
    head_optimizer = torch.optim.Adam(head.parameters(), lr=1e-3)
    trunk_optimizer = torch.optim.Adam(trunk.parameters(), lr=3e-4)
    rule = torch.randn(40, 5, device=device)
    for step in range(180):
        x = torch.randn(64, 40, device=device)
        with torch.set_grad_enabled(step >= 60):
            features = trunk(x)
        loss = nn.functional.cross_entropy(head(features), (x @ rule).argmax(1))
        head_optimizer.zero_grad()
        trunk_optimizer.zero_grad()
        loss.backward()
        head_optimizer.step()
        if step >= 60:
            trunk_optimizer.step()
    print("loss %.3f" % loss.item())


main()
