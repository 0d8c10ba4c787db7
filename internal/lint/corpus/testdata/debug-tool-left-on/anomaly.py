# Anomaly detection was switched on to find a NaN and stayed.
import torch
from torch import nn

torch.autograd.set_detect_anomaly(True)  # finding: debug-tool-left-on


def main(loader):
    model = nn.Sequential(nn.Linear(16, 64), nn.GELU(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())
