# An exponentially smoothed loss for the progress bar, smoothed as a tensor.
import torch
from tqdm.auto import tqdm


def train(model, loader, criterion, optimizer, beta=0.98):
    smooth = None
    bar = tqdm(loader, desc="train")
    for x, y in bar:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        if smooth is None:
            smooth = loss.item()
        else:
            smooth = beta * smooth + (1 - beta) * loss  # finding: summed-loss|carried-state
        bar.set_description(f"loss {float(smooth):.3f}")
