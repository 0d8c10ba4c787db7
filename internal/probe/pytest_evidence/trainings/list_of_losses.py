import torch
import torch.nn.functional as F
from common import Net, batches

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
losses = []
for x, y in batches():
    loss = F.cross_entropy(model(x), y)  # born
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss)  # leak
