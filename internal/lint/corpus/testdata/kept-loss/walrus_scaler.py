# Mixed precision with a scaler; the loss is named and kept in one expression.
import torch
from torch.cuda.amp import GradScaler, autocast


def train(model, loader, criterion, optimizer, log_every=10):
    scaler = GradScaler()
    kept = []
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad(set_to_none=True)
        with autocast():
            kept.append(loss := criterion(model(x.cuda()), y.cuda()))  # finding: kept-loss
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if i % log_every == 0:
            print(sum(k.item() for k in kept) / len(kept))
