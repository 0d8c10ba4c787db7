"""Training on captions that are held as a list of records."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, RandomSampler


class Captions(Dataset):
    def __init__(self, n):
        self.records = [{"id": "image-%07d" % i, "words": [i % 97, i % 89, i % 83], "label": i % 2} for i in range(n)]

    def __len__(self):
        return len(self.records)

    def __getitem__(self, index):
        record = self.records[index]
        g = torch.Generator().manual_seed(int(record["id"][6:]))
        return torch.randn(2048, generator=g) + sum(record["words"]) / 300, record["label"]


def main(batch_size=32, steps=240):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dataset = Captions(150000)
    sampler = RandomSampler(dataset, num_samples=steps * batch_size, replacement=True)
    loader = DataLoader(dataset, batch_size=batch_size, sampler=sampler, num_workers=2)
    model = nn.Sequential(nn.Linear(2048, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 2)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())


if __name__ == "__main__":
    main()
