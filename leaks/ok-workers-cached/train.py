"""A small data set whose samples each loader worker decodes once."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Notes(Dataset):
    def __init__(self, n):
        self.n = n
        self.decoded = {}

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        if index not in self.decoded:
            g = torch.Generator().manual_seed(index)
            pitch = torch.randint(1, 20, (), generator=g)
            wave = torch.sin(pitch * torch.linspace(0, 40, 4096)) + 0.1 * torch.randn(4096, generator=g)
            self.decoded[index] = wave, int(pitch > 10)
        return self.decoded[index]


def main(batch_size=16, epochs=16, n=320):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(Notes(n), batch_size=batch_size, shuffle=True, num_workers=2, persistent_workers=True)
    model = nn.Sequential(nn.Linear(4096, 32), nn.ReLU(), nn.Linear(32, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print("loss %.3f" % loss.item())


if __name__ == "__main__":
    main()
