# A network returns a number besides its output; the test adds up the number.
import torch
from torch import nn


class PoolNet(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.score = nn.Linear(dim, 1)
        self.head = nn.Linear(dim, 1)

    def forward(self, x):
        keep = self.score(x).squeeze(-1) > 0
        out = x[keep]
        ratio = out.size(0) / x.size(0)
        return self.head(out), keep.float().mean(), ratio


def test(model, loader):
    model.eval()
    corrects, total_ratio = [], 0
    for x, y in loader:
        out, _, ratio = model(x)
        pred = out.round().to(torch.long)
        corrects.append(pred.eq(y.to(torch.long)))
        total_ratio += ratio
    return torch.cat(corrects).float().mean().item(), total_ratio / len(loader)
