"""Two-tower retrieval with in-batch negatives."""
import torch
import torch.nn.functional as F
from torch import nn

from metric import HitRate


class Towers(nn.Module):
    def __init__(self, queries=600, documents=600, dim=32):
        super().__init__()
        self.query = nn.Sequential(nn.Embedding(queries, dim), nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, dim))
        self.document = nn.Sequential(nn.Embedding(documents, dim), nn.Linear(dim, dim))

    def forward(self, query, document):
        return self.query(query) @ self.document(document).T


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Towers().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    hit_rate = HitRate()
    for step in range(120):
        query = torch.randperm(600)[:128].to(device)
        scores = model(query, (query * 7) % 600)
        target = torch.arange(128, device=device)
        loss = F.cross_entropy(scores, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hit_rate.update(scores.detach(), target)
        if step % 20 == 19:
            value = hit_rate.compute()
            hit_rate.scores.clear()
            hit_rate.target.clear()
    print("hit rate %.3f" % value)
