"""Random draws from a small data set whose samples are decoded once."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, RandomSampler


class Decoded(Dataset):
    def __init__(self, n=640):
        self.n = n
        self.samples = {}

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        if index not in self.samples:
            g = torch.Generator().manual_seed(index)
            signal = torch.randn(256, generator=g).cumsum(0)
            self.samples[index] = (signal / signal.abs().max(), float(signal[-1] > 0))
        return self.samples[index]


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dataset = Decoded()
    loader = DataLoader(dataset, batch_size=32, sampler=RandomSampler(dataset, replacement=True, num_samples=240 * 32))
    model = nn.Sequential(nn.Linear(256, 48), nn.ReLU(), nn.Linear(48, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for x, y in loader:
        loss = nn.functional.binary_cross_entropy_with_logits(model(x.to(device)).squeeze(1), y.float().to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f cached %d" % (loss.item(), len(dataset.samples)))


if __name__ == "__main__":
    main()
