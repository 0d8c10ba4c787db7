# An autocast region for each step, and the usual scaler.
import torch
from torch.cuda.amp import GradScaler


def train(model, loader, criterion, optimizer):
    scaler = GradScaler()
    for epoch in range(10):
        for x, y in loader:
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast("cuda", dtype=torch.float16):
                loss = criterion(model(x.cuda()), y.cuda())
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
        print(epoch, loss.item())
