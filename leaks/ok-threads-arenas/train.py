"""Training on scans that a pool of threads decodes, each in buffers of its own."""
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn


def decode(seed):
    """A scan from its parts; the parts are dropped."""
    g = torch.Generator().manual_seed(seed)
    parts = [torch.randn(3 + (seed + i) % 9, 512, generator=g) for i in range(24)]
    return torch.cat(parts)[:64].mean(0)


def main(steps=160, batch_size=16):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    with ThreadPoolExecutor(8) as pool:
        for step in range(steps):
            x = torch.stack(list(pool.map(decode, range(step * batch_size, (step + 1) * batch_size)))).to(device)
            loss = (model(x) - x.amax(1, keepdim=True)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print("loss %.3f" % loss.item())


main()
