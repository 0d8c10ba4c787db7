"""A sentinel for memory: a cheap look now and then, and the mark of each step that torchleak goes by.

Needs only the standard library, and works with and without torchleak.
"""
import os
import sys
import warnings

try:
    import torchleak  # is there when torchleak has started the program
except ImportError:
    torchleak = None


def in_use():
    """Bytes that this process holds now: on its GPU where it uses one, else its resident memory; None: not known."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        return torch.cuda.memory_allocated()
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


class Sentinel:
    """Warns once when memory has grown at every one of the last looks: healthy trainings rest somewhere.

    Growth alone proves nothing. `torchleak run` finds out what grows, and which statement to change.
    """

    def __init__(self, every=100, looks=10, least=64 << 20):
        self._every, self._looks, self._least = every, looks, least
        self._steps = self._rises = self._floor = self._last = 0
        self._warned = False

    def step(self):
        """Call it once at the end of each step."""
        if torchleak is not None:
            torchleak.step()
        self._steps += 1
        if self._steps % self._every == 0 and not self._warned:
            self._look()

    def _look(self):
        now = in_use()
        if now is None:
            return
        if now > self._last:
            self._rises += 1
        else:
            self._rises, self._floor = 0, now
        self._last = now
        if self._rises == 1:  # the first look, or the first after a rest
            self._floor = now
        if self._rises > self._looks and now - self._floor >= self._least:
            self._warned = True
            warnings.warn("memory grew at each of the last %d looks, by %d MiB: start this with `torchleak run --` to see why"
                          % (self._looks, (now - self._floor) >> 20))
