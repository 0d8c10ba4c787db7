"""Text every machine has: the sources of Python's own standard library."""
import pathlib
import sysconfig

import torch


def load(max_bytes=1_000_000, held_out=0.1):
    """Return the training text and the validation text as tensors of bytes."""
    root = pathlib.Path(sysconfig.get_path("stdlib"))
    text = bytearray()
    for path in sorted(root.glob("*.py")):
        text += path.read_bytes()
        if len(text) >= max_bytes:
            break
    data = torch.frombuffer(text[:max_bytes], dtype=torch.uint8)
    cut = int(len(data) * (1 - held_out))
    return data[:cut], data[cut:]


def batch(data, size, length, generator):
    """Return `size` random windows of `length` bytes, and the bytes that follow each."""
    starts = torch.randint(len(data) - length - 1, (size,), generator=generator)
    windows = torch.stack([data[i:i + length + 1] for i in starts.tolist()]).long()
    return windows[:, :-1], windows[:, 1:]
