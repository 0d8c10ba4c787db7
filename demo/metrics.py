"""Keeps what a training reports."""
import math


class History:
    """The losses of the validations, in the order they were recorded."""

    def __init__(self):
        self.losses = []

    def record(self, loss):
        self.losses.append(loss)

    def mean(self, last=10):
        recent = self.losses[-last:]
        return sum(recent) / len(recent)


def smooth(mean, value, weight=0.05):
    """A running mean that forgets; the first value is the mean of itself."""
    return value if mean is None else mean + weight * (value - mean)


def bits_per_byte(loss):
    """A cross-entropy in nats, as bits for each byte of text."""
    return loss / math.log(2)
