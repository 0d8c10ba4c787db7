"""CNN with validation and early stopping."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3), nn.ReLU(), nn.MaxPool2d(2))
        self.fc = nn.Linear(64, 4)

    def forward(self, x):
        return self.fc(self.features(x).flatten(1))


def corners(n, device):
    y = torch.randint(0, 4, (n,))
    x = 0.5 * torch.randn(n, 1, 14, 14)
    for i, k in enumerate(y.tolist()):
        x[i, 0, (k // 2) * 8:(k // 2) * 8 + 6, (k % 2) * 8:(k % 2) * 8 + 6] += 0.6
    return x.to(device), y.to(device)


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    correct = sum((model(x).argmax(1) == y).sum().item() for x, y in batches)
    model.train()
    return correct / sum(len(y) for _, y in batches)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model, validation = Net().to(device), [corners(32, device) for _ in range(3)]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
    accuracies, patience = [], 0
    for step in range(1, 241):
        x, y = corners(24, device)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            accuracies.append(evaluate(model, validation))
            patience = 0 if accuracies[-1] >= max(accuracies) else patience + 1
    print("best accuracy %.3f patience %d" % (max(accuracies), patience))


main()
