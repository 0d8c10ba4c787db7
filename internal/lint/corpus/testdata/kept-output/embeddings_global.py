# Embeddings of a contrastive model go to a module-level list, in training.
import torch
import torch.nn.functional as F

EMBEDDINGS = []


def info_nce(a, b, temperature=0.1):
    scores = a @ b.t() / temperature
    return F.cross_entropy(scores, torch.arange(len(a), device=a.device))


def train_step(encoder, optimizer, left, right):
    za = F.normalize(encoder(left), dim=-1)
    zb = F.normalize(encoder(right), dim=-1)
    loss = info_nce(za, zb)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    EMBEDDINGS.append(za)  # finding: kept-output
    return loss.item()


def train(encoder, loader):
    optimizer = torch.optim.SGD(encoder.parameters(), 0.1, weight_decay=1e-6)
    for left, right in loader:
        train_step(encoder, optimizer, left, right)
