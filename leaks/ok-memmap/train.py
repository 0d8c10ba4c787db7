"""Training on a long mapped recording, read from its beginning to its end."""
import os
import tempfile

import numpy as np
import torch
from torch import nn


def write(path, n):
    """A recording of n samples."""
    samples = np.memmap(path, dtype="float32", mode="w+", shape=(n,))
    for start in range(0, n, 1 << 18):
        end = min(n, start + (1 << 18))
        samples[start:end] = np.sin(np.arange(start, end) / 40) + 0.2 * np.random.standard_normal(end - start)
    samples.flush()


def main(steps=160, batch_size=16, length=4096):
    torch.manual_seed(0)
    np.random.seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(length, 32), nn.ReLU(), nn.Linear(32, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "recording.f32")
        write(path, steps * batch_size * length)
        samples = torch.from_numpy(np.memmap(path, dtype="float32", mode="c")).view(steps, batch_size, length)
        for x in samples:
            x = x.to(device)
            loss = (model(x) - x[:, :1]).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        del samples, x
    print("loss %.3f" % loss.item())


main()
