"""Training on a stream of sensor windows in which the near duplicates are left out."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from stream import Windows


class Fresh(IterableDataset):
    """The windows of a stream that are not like one seen before."""

    def __init__(self, steps, batch_size):
        self.count = steps * batch_size
        self.windows = Windows(length=512)

    def __iter__(self):
        info = get_worker_info()
        workers = info.num_workers if info else 1
        given = 0
        while given * workers < self.count:
            window, label = self.windows.read()
            if self.windows.novel(window):
                given += 1
                yield window, label


def main(batch_size=16, steps=240):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(Fresh(steps, batch_size), batch_size=batch_size, num_workers=2, persistent_workers=True)
    model = nn.Sequential(nn.Linear(512, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())


if __name__ == "__main__":
    main()
