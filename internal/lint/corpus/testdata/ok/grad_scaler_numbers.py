# Numbers of several kinds: sizes, counts, learning rates, and tensors that came from data.
import torch


def train(model, loader, criterion, optimizer, scheduler):
    seen = 0
    tokens = 0
    stats = {"examples": [], "lr": [], "length": []}
    for batch in loader:
        ids, mask, labels = batch["ids"], batch["mask"], batch["labels"]
        loss = criterion(model(ids, mask), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        seen += labels.size(0)
        tokens += mask.sum().item()
        stats["examples"].append(seen)
        stats["lr"].append(scheduler.get_last_lr()[0])
        stats["length"].append(ids.shape[1])
    return stats, tokens
