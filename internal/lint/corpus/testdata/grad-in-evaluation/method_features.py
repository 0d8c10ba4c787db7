# A bank of features for nearest neighbours; the call that runs the model is the place.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(9, 4)

    def features(self, x):
        return self.body(x)

    def forward(self, x):
        return self.features(x).sum(-1)


def knn_bank(net, loader):
    net.eval()
    bank, labels = [], []
    for x, y in loader:
        f = nn.functional.normalize(net.features(x.cuda()), dim=-1)  # finding: grad-in-evaluation
        bank.append(f)
        labels.append(y)
    return torch.cat(bank), torch.cat(labels)
