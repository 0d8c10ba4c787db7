"""Calls of outermost modules: the clock of inference and evaluation.

It wraps the call of every module, so it stands only while nothing better ticks.
"""

import sys

from _torchleak import guard
from _torchleak.clock import FORWARD
from _torchleak.pacemaker import Pacemaker
from _torchleak.patch import Patch

_SLOWEST = 1024


class ForwardSource:
    """One event behind each call of the outermost module that sets the period."""

    def __init__(self, torch, event):
        self._torch = torch
        self._event = event
        self._inside = False
        self._pacemaker = Pacemaker(_SLOWEST)
        self._compiler_in_use = False
        module = sys.modules["torch.nn.modules.module"].Module
        self._patch = Patch(module, "__call__", self._counting)
        self._compile = Patch(torch, "compile", self._compiling)

    def start(self):
        """Stands in the way of module calls, and waits for a compiler to be asked for."""
        if hasattr(self._torch, "compile"):
            self._compile.apply()
        self.apply()

    def stop(self):
        """Puts torch's own back."""
        self._compile.remove()
        self._patch.remove()

    @property
    def applied(self):
        """Whether module calls are looked at now."""
        return self._patch.applied

    def apply(self):
        """Stands in the way of module calls, unless a compiler may be at work: what it has compiled
        it would have to compile again."""
        if not self._compiler_in_use and not _compiled():
            self._patch.apply()

    def remove(self):
        """Gives the way free, unless a compiler has seen us in it."""
        if self._patch.applied and not _compiled():
            self._patch.remove()
            self._inside = False

    def restart(self):
        """Forgets the rhythm, in a forked child."""
        self._pacemaker = Pacemaker(_SLOWEST)
        self._inside = False

    def _compiling(self, original):
        def compile(*args, **kwargs):
            self._compiler_in_use = True
            return original(*args, **kwargs)

        return compile

    def _counting(self, original):
        source = self
        compiling = _is_compiling(self._torch)

        def __call__(self, *args, **kwargs):
            # A compiler takes the first part for a constant and sees torch's own call only.
            if compiling() or source._inside:
                return original(self, *args, **kwargs)
            source._inside = True
            try:
                result = original(self, *args, **kwargs)
            finally:
                source._inside = False
            source._called(self)
            return result

        return __call__

    def _called(self, module):
        try:
            if self._pacemaker.ticks(module):
                self._event(FORWARD)
        except Exception as error:
            guard.caught(error)


def _is_compiling(torch):
    compiler = getattr(torch, "compiler", None)
    return getattr(compiler, "is_compiling", None) or (lambda: False)


def _compiled():
    """Whether torch.compile has compiled anything in this process."""
    utils = sys.modules.get("torch._dynamo.utils")
    if utils is None:
        return False
    try:
        return any(utils.counters.get(kind) for kind in ("frames", "stats"))
    except Exception:
        return True
