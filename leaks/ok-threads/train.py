"""Background evaluation, one short-lived thread a step."""
import threading

import torch
from torch import nn


def score(model, x, result):
    with torch.no_grad():
        result["mean"] = model(x).mean().item()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    held_out = torch.randn(128, 20, device=device)
    result = {}
    for step in range(120):
        x = torch.randn(96, 20, device=device)
        loss = (model(x) - x[:, :1].relu()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        worker = threading.Thread(target=score, args=(model, held_out, result))
        worker.start()
        worker.join()
    print("loss %.3f mean %.3f" % (loss.item(), result["mean"]))


main()
