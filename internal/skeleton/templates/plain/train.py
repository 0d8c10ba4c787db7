"""Trains a small model with validation and checkpoints. Comments say what keeps its memory flat."""
import argparse
import os

import torch

import data
import memwatch
from model import CharModel, loss_of


@torch.no_grad()  # else the graph of every batch is built, and lives as long as its loss
def validate(model, text, args, device):
    """Return the mean loss over the held-out text."""
    model.eval()
    total, batches = 0.0, 0
    for inputs, follows in data.windows(text, args.batch, args.length, device):
        total += loss_of(model, inputs, follows).item()  # a number: adding tensors keeps their graphs
        batches += 1
        if batches == args.validate_batches:
            break
    model.train()
    return total / max(1, batches)


def save(model, optimizer, step, path):
    """Write a checkpoint whole. On disk: a state dict in a list would hold every version of the weights."""
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, path + ".new")
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--length", type=int, default=32)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--validate-every", type=int, default=20)
    parser.add_argument("--validate-batches", type=int, default=4)
    parser.add_argument("--save-every", type=int, default=500)
    parser.add_argument("--checkpoint", default="checkpoint.pt")
    args = parser.parse_args()

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    generator = torch.Generator().manual_seed(0)
    train_text, valid_text = data.load()
    model = CharModel().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    sentinel = memwatch.Sentinel()

    mean = None
    for step in range(1, args.steps + 1):
        inputs, follows = data.batch(train_text, args.batch, args.length, generator, device)
        loss = loss_of(model, inputs, follows)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        value = loss.item()  # what is kept of a step is numbers
        mean = value if mean is None else 0.95 * mean + 0.05 * value
        if step % args.validate_every == 0:
            print("step %d  train %.3f  valid %.3f" % (step, mean, validate(model, valid_text, args, device)), flush=True)
        if step % args.save_every == 0 or step == args.steps:
            save(model, optimizer, step, args.checkpoint)
        sentinel.step()


if __name__ == "__main__":
    main()
