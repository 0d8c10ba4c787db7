# A wrapper registers its hook in each forward and throws the handle away.
import torch
from torch import nn


class WithFeature(nn.Module):
    def __init__(self, backbone, head):
        super().__init__()
        self.backbone = backbone
        self.head = head
        self.feature = None

    def _keep(self, module, args, output):
        self.feature = output

    def forward(self, x):
        self.backbone.layer4.register_forward_hook(self._keep)  # finding: hook-per-step
        logits = self.backbone(x)
        return logits, self.head(self.feature.mean((2, 3)))
