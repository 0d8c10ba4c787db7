"""Steering regression with validation."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class PilotNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 5, stride=2)
        self.conv2 = nn.Conv2d(8, 16, 3, stride=2)
        self.fc1 = nn.Linear(16 * 6 * 6, 64)
        self.fc2 = nn.Linear(64, 1)

    def forward(self, x):
        x = F.elu(self.conv1(x))
        x = F.elu(self.conv2(x))
        return self.fc2(F.elu(self.fc1(x.flatten(1))))


def road(n, device):
    angle = torch.rand(n, 1) * 2 - 1
    columns = torch.linspace(-1, 1, 30)
    lane = torch.exp(-20 * (columns[None] - angle) ** 2)
    pictures = lane[:, None, None, :].expand(n, 3, 30, 30) + 0.1 * torch.randn(n, 3, 30, 30)
    return pictures.to(device), angle.to(device)


def validate(model, batches):
    model.eval()
    total = 0
    for x, y in batches:
        total = total + F.mse_loss(model(x), y)  # leak?
    model.train()
    return total / len(batches)


def main(steps=240, eval_every=10):
    torch.manual_seed(4)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = PilotNet().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    held_out = [road(16, device) for _ in range(2)]
    history = {"train": [], "val": []}
    for step in range(1, steps + 1):
        x, y = road(16, device)
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        history["train"].append(loss.item())
        if step % eval_every == 0:
            val_loss = validate(model, held_out)  # leak?
            history["val"].append(val_loss)  # leak
    print("best validation loss %.4f" % min(history["val"]).item())


main()
