"""Contrastive learning with a queue of negatives."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Contrast(nn.Module):
    def __init__(self, dim=64, out=32, queue_size=512):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, 128), nn.ReLU(), nn.Linear(128, out))
        self.key_encoder = nn.Sequential(nn.Linear(dim, 128), nn.ReLU(), nn.Linear(128, out))
        self.key_encoder.load_state_dict(self.encoder.state_dict())
        self.register_buffer("queue", F.normalize(torch.randn(queue_size, out), dim=1))

    @torch.no_grad()
    def momentum_update(self, m=0.99):
        for q, k in zip(self.encoder.parameters(), self.key_encoder.parameters()):
            k.mul_(m).add_(q, alpha=1 - m)

    def enqueue(self, keys):
        size = self.queue.shape[0]
        self.queue = torch.cat([keys, self.queue])[:size]  # leak

    def forward(self, view1, view2):
        q = F.normalize(self.encoder(view1), dim=1)
        k = F.normalize(self.key_encoder(view2), dim=1)
        positive = (q * k.detach()).sum(1, keepdim=True)
        negative = q @ self.queue.detach().T
        logits = torch.cat([positive, negative], 1) / 0.2
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long, device=q.device))
        self.enqueue(k)
        return loss


device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
net = Contrast().to(device)
optimizer = torch.optim.SGD(net.encoder.parameters(), lr=0.05, momentum=0.9)
for step in range(120):
    base = torch.randn(64, 64)
    loss = net((base + 0.2 * torch.randn_like(base)).to(device), (base + 0.2 * torch.randn_like(base)).to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    net.momentum_update()
print("loss %.3f" % loss.item())
