import torch
import torch.nn.functional as F
from common import Net, batches

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
total = 0.0
for x, y in batches():
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss  # leak
