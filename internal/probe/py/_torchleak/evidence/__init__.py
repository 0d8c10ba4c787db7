"""Looks closer when asked: which tensors stay, who holds them, which statement put them there."""

from _torchleak.evidence.investigation import Investigation


def start(ctx):
    """Begins to answer a context's request; call tick(step) of the result at each step boundary until it is true."""
    return Investigation(ctx)
