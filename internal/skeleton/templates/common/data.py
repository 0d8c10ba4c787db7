"""Text that every machine has: the sources of Python's own standard library. Put your own data here."""
import pathlib
import sysconfig

import torch

BYTES = 256


def load(most=2_000_000, held_out=0.1):
    """Return the text to train with and the text to validate with, as tensors of bytes."""
    text = bytearray()
    for path in sorted(pathlib.Path(sysconfig.get_path("stdlib")).glob("*.py")):
        text += path.read_bytes()
        if len(text) >= most:
            break
    data = torch.frombuffer(text[:most], dtype=torch.uint8)
    cut = int(len(data) * (1 - held_out))
    return data[:cut], data[cut:]


def batch(text, size, length, generator, device):
    """Return `size` random windows of `length` bytes, and the byte that follows each byte of them."""
    starts = torch.randint(len(text) - length - 1, (size,), generator=generator)
    windows = torch.stack([text[i:i + length + 1] for i in starts.tolist()]).long().to(device)
    return windows[:, :-1], windows[:, 1:]


def windows(text, size, length, device):
    """Go through the text once, in batches of `size` windows of `length` bytes."""
    count = (len(text) - 1) // length
    for first in range(0, count - size + 1, size):
        rows = [text[i * length:(i + 1) * length + 1] for i in range(first, first + size)]
        chunk = torch.stack(rows).long().to(device)
        yield chunk[:, :-1], chunk[:, 1:]
