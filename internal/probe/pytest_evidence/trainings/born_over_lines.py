import torch
import torch.nn.functional as F
from common import Net, batches


def train():
    model, kept = Net(), []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for x, y in batches():
        loss = F.cross_entropy(  # born
            model(x),
            y,
        )
        optimizer.zero_grad()
        loss.backward()
        kept.append(loss)  # leak
        optimizer.step()
    return kept


train()
