from common import F, Net, batches
import torch

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
nodes = []
for x, y in batches():
    loss = F.cross_entropy(model(x), y)
    nodes.append(loss.grad_fn)  # leak
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
