import torch
import torch.nn.functional as F
from common import Net, batches


def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    log = "step loss weights\n" * 300
    for step, (x, y) in enumerate(batches()):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log += "%d %f %s\n" % (step, loss.item(), model.head.weight.tolist())  # leak
    return log


train(Net())
