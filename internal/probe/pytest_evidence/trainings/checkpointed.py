import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
from common import Net, batches

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
kept, recomputed = [], []


def inner(x):
    recomputed.append(1)
    return F.relu(model.block(x))


for x, y in batches():
    features = checkpoint(inner, x, use_reentrant=False)
    loss = F.cross_entropy(model.head(features), y)
    optimizer.zero_grad()
    loss.backward(retain_graph=False)
    optimizer.step()
    with torch.enable_grad():
        kept.append(checkpoint(inner, x, use_reentrant=False).sum())  # leak
result = len(recomputed)
