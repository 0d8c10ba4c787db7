# One autocast region around the epochs; a hypernetwork makes new weights in each step.
import torch
import torch.nn.functional as F


def train(hyper, loader, optimizer, scaler):
    with torch.autocast(device_type="cuda", dtype=torch.float16):  # finding: autocast-cache
        for task, x, y in loader:
            weight, bias = hyper(task)
            loss = F.cross_entropy(F.linear(x, weight, bias), y)
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
