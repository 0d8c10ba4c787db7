"""Batches of data loaders, their epochs, and their worker processes."""

import sys

from _torchleak.clock import DATA
from _torchleak.patch import Patch
from _torchleak.tap import Tap


class DataSource:
    """One event for each batch that is done with, seen when the next is asked for."""

    def __init__(self, event, epoch, in_worker):
        self._event = event
        self._epoch = epoch
        self._in_worker = in_worker
        self._last = 0
        loader = sys.modules["torch.utils.data.dataloader"]
        worker = sys.modules["torch.utils.data._utils.worker"]
        self._patches = [
            Tap(loader._BaseDataLoaderIter, "__next__", self._asked),
            Patch(worker, "_worker_loop", self._worker),
        ]

    def apply(self):
        """Iterators look these up in their class, loaders the worker's function in its module."""
        for patch in self._patches:
            patch.apply()

    def remove(self):
        """Puts torch's own back."""
        for patch in self._patches:
            patch.remove()

    def restart(self):
        """Forgets the loaders, in a forked child."""
        self._last = 0

    def _asked(self, iterator, frame):
        key = id(iterator)
        if iterator._num_yielded == 0:
            self._epoch(True)
        else:
            if key != self._last:
                self._epoch(False)  # back from a validation in the middle of the epoch
            self._event(DATA)
        self._last = key

    def _worker(self, original):
        in_worker = self._in_worker

        def _worker_loop(*args, **kwargs):
            in_worker(original, args)
            return original(*args, **kwargs)

        return _worker_loop
