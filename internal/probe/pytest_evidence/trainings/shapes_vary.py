import torch
import torch.nn.functional as F
from common import Net, batches

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
kept = []
for step, (x, y) in enumerate(batches()):
    x, y = x[:step % 7 + 1], y[:step % 7 + 1]
    out = model(x)
    loss = F.cross_entropy(out, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    kept.append(out.detach())  # leak
