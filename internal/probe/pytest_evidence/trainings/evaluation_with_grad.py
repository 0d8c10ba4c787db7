import torch
import torch.nn.functional as F
from common import Net, batches

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
validation = []


def evaluate(model, batch):
    model.eval()
    loss = F.cross_entropy(model(batch[0]), batch[1])
    validation.append(loss)  # leak
    model.train()


data = batches()
for x, y in data:
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    evaluate(model, data[0])
