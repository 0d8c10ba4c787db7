# A queue of fixed size is written in place.
import torch
from torch import nn


class MoCo(nn.Module):
    def __init__(self, enc_q, enc_k, dim=128, size=4096):
        super().__init__()
        self.enc_q, self.enc_k, self.size = enc_q, enc_k, size
        self.register_buffer("queue", torch.randn(size, dim))
        self.ptr = 0

    @torch.no_grad()
    def enqueue(self, k):
        n = k.size(0)
        self.queue[self.ptr : self.ptr + n] = k
        self.ptr = (self.ptr + n) % self.size

    def forward(self, a, b):
        q = nn.functional.normalize(self.enc_q(a), dim=1)
        with torch.no_grad():
            k = nn.functional.normalize(self.enc_k(b), dim=1)
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.queue.clone().t()], dim=1) / 0.07
        self.enqueue(k)
        return logits


def train(model, loader, optimizer):
    for a, b in loader:
        logits = model(a, b)
        loss = nn.functional.cross_entropy(logits, torch.zeros(len(a), dtype=torch.long))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
