import torch.nn as nn
from common import Net, fit


class Growing(Net):
    def __init__(self):
        super().__init__()
        self.adapters = nn.ModuleList()

    def forward(self, x):
        self.adapters.append(nn.Linear(24, 24))  # leak
        return super().forward(x)


fit(Growing())
