# The model is traced for an export after each checkpoint interval.
import torch


def train(model, loader, criterion, optimizer, every=100):
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        if step % every == 0:
            model.eval()
            script = torch.jit.trace(model, x)  # finding: trace-per-step
            script.save(f"export_{step}.pt")
            model.train()
