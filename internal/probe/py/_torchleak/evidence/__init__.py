"""Looks closer when asked: which tensors stay, who holds them, which statement put them there."""

from _torchleak.evidence.investigation import Investigation


def start(request, ctx):
    """Begins to answer a request; call tick(step) of the result at each step boundary until it is true."""
    return Investigation(ctx)
