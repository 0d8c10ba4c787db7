"""Calls of torch.autograd.backward: the clock of trainings that update by hand."""

from _torchleak.clock import BACKWARD
from _torchleak.tap import BackwardTap


class BackwardSource:
    """One event behind each backward."""

    def __init__(self, torch, event, ran):
        self._event = event
        self._ran = ran
        self._tap = BackwardTap(torch, lambda frame: self._ended)

    def apply(self):
        """Begins to listen."""
        self._tap.apply()

    def remove(self):
        """Puts torch's own back."""
        self._tap.remove()

    def restart(self):
        """Nothing is remembered."""

    def _ended(self):
        self._ran()
        self._event(BACKWARD)
