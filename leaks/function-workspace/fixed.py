"""Two-layer graph network on random graphs with two communities."""
import torch
from torch import nn

from fixed_graph_ops import ScatterMean


class GNN(nn.Module):
    def __init__(self, inp=8, hidden=32, classes=2):
        super().__init__()
        self.self1, self.nbr1 = nn.Linear(inp, hidden), nn.Linear(inp, hidden)
        self.self2, self.nbr2 = nn.Linear(hidden, classes), nn.Linear(hidden, classes)

    def forward(self, x, source, target):
        h = torch.relu(self.self1(x) + self.nbr1(ScatterMean.apply(x, source, target, len(x))))
        return self.self2(h) + self.nbr2(ScatterMean.apply(h, source, target, len(x)))


def community(nodes=120, edges=700):
    label = torch.randint(0, 2, (nodes,))
    source, target = torch.randint(0, nodes, (2, edges))
    keep = (label[source] == label[target]) | (torch.rand(edges) < 0.2)
    x = torch.randn(nodes, 8)
    x[:, 0] += label * 1.0
    return x, source[keep], target[keep], label


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = GNN().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(120):
    x, source, target, label = (t.to(device) for t in community())
    logits = model(x, source, target)
    loss = nn.functional.cross_entropy(logits, label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.3f accuracy %.3f" % (loss.item(), (logits.argmax(1) == label).float().mean().item()))
