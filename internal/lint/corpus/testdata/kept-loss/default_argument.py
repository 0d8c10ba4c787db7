# The default list of a step function is made once and lives as long as the program.
import torch
from torch.nn import functional as F


def train_step(model, optimizer, batch, seen=[]):
    tokens, labels = batch["tokens"], batch["labels"]
    logits = model(tokens)
    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    seen.append(loss)  # finding: kept-loss
    recent = [float(v) for v in seen[-100:]]
    return sum(recent) / len(recent)


def train(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    for batch in loader:
        print(train_step(model, optimizer, batch))
