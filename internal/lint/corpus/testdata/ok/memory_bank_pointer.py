# A memory bank of fixed size, written under no_grad at a pointer.
import torch
import torch.nn as nn
import torch.nn.functional as F


class MoCo(nn.Module):
    def __init__(self, base, dim=128, K=65536, m=0.999):
        super().__init__()
        self.K, self.m = K, m
        self.encoder_q, self.encoder_k = base(dim), base(dim)
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _enqueue(self, keys):
        ptr = int(self.ptr)
        self.queue[:, ptr : ptr + keys.shape[0]] = keys.T
        self.ptr[0] = (ptr + keys.shape[0]) % self.K

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            for pq, pk in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
                pk.data = pk.data * self.m + pq.data * (1.0 - self.m)
            k = F.normalize(self.encoder_k(im_k), dim=1)
        pos = (q * k).sum(-1, keepdim=True)
        neg = q @ self.queue.clone().detach()
        self._enqueue(k)
        return torch.cat([pos, neg], dim=1) / 0.07
