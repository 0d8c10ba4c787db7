"""Calls of torch.autograd.backward: the clock of trainings that update by hand."""

import sys

from _torchleak.clock import BACKWARD
from _torchleak.patch import Patch


class BackwardSource:
    """One event behind each backward."""

    def __init__(self, event, ran):
        self._event = event
        self._ran = ran
        self._patch = Patch(sys.modules["torch.autograd"], "backward", self._counting)

    def apply(self):
        """Tensor.backward looks the function up at every call."""
        self._patch.apply()

    def remove(self):
        """Puts torch's own back."""
        self._patch.remove()

    def restart(self):
        """Nothing is remembered."""

    def _counting(self, original):
        event, ran = self._event, self._ran

        def backward(*args, **kwargs):
            original(*args, **kwargs)
            ran()
            event(BACKWARD)

        return backward
