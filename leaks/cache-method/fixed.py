"""Graph classification with two propagation steps."""
import torch
from torch import nn

from fixed_batch import GraphBatch


class GCN(nn.Module):
    def __init__(self, inp=6, hidden=32):
        super().__init__()
        self.lin1, self.lin2 = nn.Linear(inp, hidden), nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 2)

    def forward(self, batch):
        h = torch.relu(self.lin1(batch.laplacian() @ batch.features))
        h = torch.relu(self.lin2(batch.laplacian() @ h))
        return self.out(h.mean(1))


def random_batch(n=24, nodes=20):
    labels = torch.randint(0, 2, (n,))
    density = 0.1 + 0.2 * labels.float()
    upper = (torch.rand(n, nodes, nodes) < density[:, None, None]).float().triu(1)
    adjacency = upper + upper.transpose(1, 2)
    features = torch.cat([adjacency.sum(-1, keepdim=True) / nodes, torch.randn(n, nodes, 5)], -1)
    return GraphBatch(adjacency, features, labels)


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = GCN().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    correct = 0
    for step in range(120):
        batch = random_batch().to(device)
        logits = model(batch)
        loss = nn.functional.cross_entropy(logits, batch.labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        correct += (logits.argmax(1) == batch.labels).sum().item()
    print("accuracy %.3f" % (correct / 120 / 24))


main()
