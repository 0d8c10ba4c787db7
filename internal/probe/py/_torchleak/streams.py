"""Keeps files of ours away from the numbers of the standard streams."""

import contextlib
import os

_STREAMS = 3  # stdin, stdout, stderr


@contextlib.contextmanager
def streams_taken():
    """What is opened within, to be kept open, gets no number of a stream that the target has closed: what the target
    prints to that one would be written into our file, and not be refused."""
    taken = []
    try:
        number = os.open(os.devnull, os.O_RDWR)
        while number < _STREAMS:
            taken.append(number)
            number = os.dup(number)
        os.close(number)
        yield
    finally:
        for number in taken:
            os.close(number)
