# Failed batches are counted by keeping their exceptions.
import torch


def train(model, loader, criterion, optimizer):
    failures = []
    for x, y in loader:
        try:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        except RuntimeError as exc:
            if "out of memory" not in str(exc):
                raise
            torch.cuda.empty_cache()
            failures.append(exc)  # finding: kept-exception
    print(f"{len(failures)} batches failed")
