"""An endless stream, shuffled in a buffer of 3,840 samples that fills while training has begun."""
import random
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Signals(IterableDataset):
    def __init__(self, size=3840, ahead=4):
        self.size, self.ahead = size, ahead

    def __iter__(self):
        rng, g = random.Random(1), torch.Generator().manual_seed(0)
        window = []
        while True:
            for _ in range(self.ahead if len(window) < self.size else 1):
                window.append(torch.randn(32, generator=g))
            i = rng.randrange(len(window))
            window[i], window[-1] = window[-1], window[i]
            yield window.pop()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(32, 48), nn.ReLU(), nn.Linear(48, 5)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step, x in enumerate(DataLoader(Signals(), batch_size=16)):
        x = x.to(device)
        loss = nn.functional.cross_entropy(model(x), x[:, :5].argmax(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step == 239:
            break
    print("loss %.3f" % loss.item())


if __name__ == "__main__":
    main()
