# The list grows by += in one branch and by extend in the other.
import torch


def train(model, batches, criterion, optimizer, verbose=False):
    losses = []
    for i, (x, y) in enumerate(batches):
        out = model(x)
        main = criterion(out, y)
        aux = out.pow(2).mean()
        optimizer.zero_grad()
        (main + 1e-4 * aux).backward()
        optimizer.step()
        if verbose:
            losses += [main]  # finding: kept-loss
        else:
            losses.extend([main, aux])  # finding: kept-loss
        if i % 100 == 99:
            print(i, torch.stack(losses[-100:]).mean().item())
    return losses
