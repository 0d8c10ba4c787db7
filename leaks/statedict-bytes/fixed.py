import torch
from torch import nn

from fixed_storage import MemoryStore


class Sequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(4, 32, 7, padding=3)
        self.conv2 = nn.Conv1d(32, 32, 7, padding=3)
        self.fc = nn.Linear(32, 2)

    def forward(self, x):
        h = torch.relu(self.conv1(x))
        h = torch.relu(self.conv2(h))
        return self.fc(h.max(2).values)


def motif(n, device, length=40):
    bases = torch.randint(0, 4, (n, length))
    y = torch.randint(0, 2, (n,))
    for i in range(n):
        if y[i]:
            bases[i, 10:16] = torch.tensor([0, 3, 0, 3, 2, 1])
    return nn.functional.one_hot(bases, 4).transpose(1, 2).float().to(device), y.to(device)


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model, store = Sequence().to(device), MemoryStore()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(1, 241):
        x, y = motif(16, device)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            store.save(step, model, optimizer)
    print("loss %.3f, latest checkpoint of step %d" % (loss.item(), store.latest()["step"]))
