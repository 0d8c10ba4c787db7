"""Training on a file of features that is mapped and not read."""
import os
import tempfile

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Features(Dataset):
    def __init__(self, path, width):
        self.rows = np.memmap(path, dtype="float32", mode="r").reshape(-1, width)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = torch.from_numpy(np.array(self.rows[index]))
        return row, int(row.sum() > 0)


def write(path, n, width):
    """A file of n rows."""
    rows = np.memmap(path, dtype="float32", mode="w+", shape=(n, width))
    for start in range(0, n, 256):
        rows[start:start + 256] = np.random.standard_normal((min(256, n - start), width))
    rows.flush()


def main(batch_size=16, steps=240, width=4096):
    torch.manual_seed(0)
    np.random.seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "features.f32")
        write(path, steps * batch_size, width)
        loader = DataLoader(Features(path, width), batch_size=batch_size, shuffle=True, num_workers=2)
        model = nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, 2)).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print("loss %.3f" % loss.item())


if __name__ == "__main__":
    main()
