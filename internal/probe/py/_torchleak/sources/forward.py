"""Calls of outermost modules: the clock of inference and evaluation.

While nothing better ticks it looks at the call of every module. A training has a better clock: then only
the class of its outermost module is looked at, so that an evaluation behind it is seen when it begins.
"""

import sys

from _torchleak.clock import FORWARD
from _torchleak.pacemaker import Pacemaker
from _torchleak.tap import Outermost, Tap

_SLOWEST = 1024
_USUAL = 4      # calls since the last backward that are a training's own
_INNER = 4096   # looks at modules inside others that a narrow tap may cost


class ForwardSource:
    """One event for each call of the outermost module that sets the period, when the next one begins."""

    def __init__(self, event):
        self._event = event
        self._pacemaker = Pacemaker(_SLOWEST)
        self._outermost = Outermost()
        self._wide = Tap(sys.modules["torch.nn.modules.module"].Module, "__call__", self._called)
        self._narrow = None
        self._calls = self._inner = 0

    def start(self):
        """Looks at the calls of all modules."""
        if self._narrow is not None:
            self._narrow.remove()
            self._narrow = None
        self._wide.apply()

    def stop(self):
        """Puts torch's own back."""
        self._wide.remove()
        if self._narrow is not None:
            self._narrow.remove()

    @property
    def wide(self):
        """Whether the calls of all modules are looked at now."""
        return self._wide.applied

    def trained(self):
        """A backward or an optimizer's step has run."""
        self._calls = 0
        if self._wide.applied:
            self._wide.remove()
            lead = self._pacemaker.lead()
            if lead is not None and self._narrow is None:
                self._inner = 0
                self._narrow = Tap(type(lead), "__call__", self._called_in_training)
                self._narrow.apply()

    def restart(self):
        """Forgets the rhythm, in a forked child."""
        self._pacemaker = Pacemaker(_SLOWEST)
        self._calls = 0

    def _called_in_training(self, module, frame):
        self._calls += 1
        if self._calls > _USUAL:
            self._called(module, frame)
            if self._inner > _INNER and self._narrow is not None:
                self._narrow.remove()

    def _called(self, module, frame):
        if not self._outermost(frame):
            self._inner += 1
        elif self._pacemaker.ticks(module):
            self._event(FORWARD)
