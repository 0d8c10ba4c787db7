# A smoothed loss is made from its own value by a function.
import torch


def ema(avg, new, decay=0.99):
    return new if avg is None else decay * avg + (1 - decay) * new


def train(model, loader, optimizer, loss_fn, log_every=50):
    smooth = None
    for step, (x, y) in enumerate(loader):
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        smooth = ema(smooth, loss)  # finding: carried-state|summed-loss
        if step % log_every == 0:
            print(f"{step:6d} {smooth:.4f}")
