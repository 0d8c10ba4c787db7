"""Writes down the losses that backward is called on, so that two runs can be told to compute the same.

Reading a loss waits for the device: an experiment may, a watched training never does.
"""

import os
import sys

from _torchleak import guard
from _torchleak.streams import streams_taken
from _torchleak.tap import BackwardTap

_MOST = 100000


class Numbers:
    """The losses of this process, one line a backward, as exact as they are."""

    def __init__(self, torch, run_dir):
        self._torch = torch
        self._run_dir = run_dir
        self._pid = self._file = None
        self._lines = 0

    def start(self):
        """Begins to listen, with every generator of random numbers at the same place in all runs."""
        torch = self._torch
        torch.manual_seed(0)
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            numpy.random.seed(0)
        BackwardTap(torch, self._began).apply()

    @guard.guarded
    def _began(self, frame):
        if self._lines >= _MOST:
            return
        self._lines += 1
        tensors = frame.f_locals.get("tensors")
        if isinstance(tensors, self._torch.Tensor):
            tensors = (tensors,)
        total = sum(float(t.detach().double().sum()) for t in tensors)
        self._open().write(total.hex() + "\n")

    def _open(self):
        if self._pid != os.getpid():
            self._pid = os.getpid()
            path = os.path.join(self._run_dir, "%d.numbers" % self._pid)
            with streams_taken():
                self._file = open(path, "a", buffering=1, encoding="ascii")
        return self._file
