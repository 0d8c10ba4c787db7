"""Evaluates a model over a whole data set. Comments say what keeps its memory flat."""
import argparse

import torch

import data
import memwatch
from model import CharModel


class Accuracy:
    """Counts as it goes: the memory of a metric must not depend on how much it has seen."""

    def __init__(self):
        self.right = self.seen = 0

    def update(self, guesses, wanted):
        self.right += int((guesses == wanted).sum())
        self.seen += wanted.numel()

    def value(self):
        return self.right / max(1, self.seen)


@torch.inference_mode()  # no graph is built, whatever is done with the outputs
def evaluate(model, text, args, device, sentinel):
    """Return the accuracy; guesses go to a file as they come."""
    accuracy = Accuracy()
    with open(args.out, "wb") as out:
        for passes in range(args.passes):
            for inputs, follows in data.windows(text, args.batch, args.length, device):
                guesses = model(inputs).argmax(-1)
                accuracy.update(guesses, follows)
                if passes == 0:  # written, not collected: a list of outputs holds the whole data set
                    out.write(bytes(guesses.flatten().to("cpu", torch.uint8).tolist()))
                sentinel.step()
    return accuracy.value()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", help="as train.py of the plain skeleton writes it; none: a fresh model")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--length", type=int, default=32)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--out", default="guesses.bin")
    args = parser.parse_args()

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = CharModel()
    if args.checkpoint:
        # Onto the host first: a checkpoint read straight to the device would be there twice.
        model.load_state_dict(torch.load(args.checkpoint, map_location="cpu")["model"])
    model.to(device).eval()
    _, text = data.load()
    print("accuracy %.4f" % evaluate(model, text, args, device, memwatch.Sentinel()))


if __name__ == "__main__":
    main()
