"""Trains a character model on the standard library's sources.

It learns well, and its memory grows with every step: run it under `torchleak run` to see why.
"""
import argparse

import torch
import torch.nn.functional as F

import data
from metrics import History, bits_per_byte, smooth
from model import CharModel


def loss_of(model, text, follows):
    """Return the cross-entropy of the model's guesses for the bytes that follow."""
    guesses = model(text)
    return F.cross_entropy(guesses.flatten(0, 1), follows.flatten())


def validate(model, text, args, generator):
    """Return the loss on a batch the model has not been trained on."""
    model.eval()
    loss = loss_of(model, *data.batch(text, args.batch, args.length, generator))
    model.train()
    return loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--length", type=int, default=32)
    parser.add_argument("--validate-every", type=int, default=5)
    args = parser.parse_args()

    torch.manual_seed(0)
    torch.set_num_threads(min(2, torch.get_num_threads()))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    generator = torch.Generator().manual_seed(0)
    train_text, valid_text = (part.to(device) for part in data.load())
    model = CharModel().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    validations = History()
    mean = None

    for step in range(1, args.steps + 1):
        loss = loss_of(model, *data.batch(train_text, args.batch, args.length, generator))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean = smooth(mean, loss.item())
        if step % args.validate_every == 0:
            validations.record(validate(model, valid_text, args, generator))
        if step % 50 == 0:
            print(f"step {step:4d}  train {bits_per_byte(mean):.2f}"
                  f"  valid {bits_per_byte(validations.mean()):.2f} bits per byte", flush=True)


if __name__ == "__main__":
    main()
