"""Keeps the interpreter from printing the interrupt by which torchleak stops a training that has made its steps.

Nobody has pressed Ctrl-C there, and a traceback reads like an error. What the training itself does with the
interrupt, its exit status and every other exception stay as they are.
"""

import os
import sys

VARIABLE = "TORCHLEAK_STOPS"  # set where the training is to be stopped


def begin():
    """Puts a hook for exceptions that nobody catches in front of the one that is there."""
    sign = os.path.join(os.environ["TORCHLEAK_DIR"], "stopped")
    shown = sys.excepthook

    def hook(kind, value, trace):
        if not (_interrupt(kind) and os.path.exists(sign)):
            shown(kind, value, trace)

    sys.excepthook = hook


def _interrupt(kind):
    """Whether it is what Python, or torchrun, makes of a signal that ends it."""
    return issubclass(kind, KeyboardInterrupt) or (kind.__module__, kind.__name__) == (
        "torch.distributed.elastic.multiprocessing.api", "SignalException")
