"""Keeps what a training reports."""
import math


class History:
    """The values of each quantity, in the order they were recorded."""

    def __init__(self):
        self.values = {}

    def record(self, name, value):
        self.values.setdefault(name, []).append(value)

    def mean(self, name, last=20):
        recent = self.values[name][-last:]
        return sum(recent) / len(recent)


def bits_per_byte(loss):
    """A cross-entropy in nats, as bits for each byte of text."""
    return loss / math.log(2)
