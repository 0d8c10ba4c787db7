import torch
import torch.nn.functional as F
from common import Net, batches


def train():
    model, kept = Net(), []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for x, y in batches():
        out = model(x)
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        confident = out.softmax(1)  # born
        optimizer.step()
        kept.append(confident)  # leak
    return kept


train()
