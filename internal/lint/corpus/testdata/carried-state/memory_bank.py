# The queue of a contrastive model keeps its length, and the history of all that went through it.
import torch
import torch.nn.functional as F
from torch import nn


class Contrast(nn.Module):
    def __init__(self, encoder, dim=128, size=4096):
        super().__init__()
        self.encoder = encoder
        self.size = size
        self.queue = F.normalize(torch.randn(size, dim), dim=1)

    def forward(self, q_img, k_img):
        q = F.normalize(self.encoder(q_img), dim=1)
        k = F.normalize(self.encoder(k_img), dim=1)
        positive = (q * k).sum(-1, keepdim=True)
        negative = q @ self.queue.t()
        self.queue = torch.cat([k, self.queue])[: self.size]  # finding: carried-state
        logits = torch.cat([positive, negative], dim=1) / 0.07
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
