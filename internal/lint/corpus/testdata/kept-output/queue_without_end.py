# A queue of keys that forward makes longer.
import torch
from torch import nn


class MoCo(nn.Module):
    def __init__(self, enc_q, enc_k, dim=128):
        super().__init__()
        self.enc_q, self.enc_k = enc_q, enc_k
        self.queue = torch.zeros(0, dim)

    def forward(self, a, b):
        q = nn.functional.normalize(self.enc_q(a), dim=1)
        with torch.no_grad():
            k = nn.functional.normalize(self.enc_k(b), dim=1)
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.queue.t()], dim=1) / 0.07
        self.queue = torch.cat([self.queue, k])  # finding: kept-output
        return logits


def train(model, loader, optimizer):
    for a, b in loader:
        logits = model(a, b)
        loss = nn.functional.cross_entropy(logits, torch.zeros(len(a), dtype=torch.long))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
