"""The memory of a loader worker, read at each of its own batches: the trainer's steps tell nothing of how many those are."""

import sys
import time

from _torchleak import guard
from _torchleak.clock import DATA
from _torchleak.recorder import Recorder
from _torchleak.tap import Tap

_CAPACITY = 1024  # batches, until torchleak has looked


class Batches:
    """One record for each batch of this worker, seen when the next one is asked for."""

    def __init__(self, torch, identity, host):
        self._recorder = Recorder(torch, identity, [host], ".batches", _CAPACITY)
        self._count = self._spent = 0
        fetch = sys.modules["torch.utils.data._utils.fetch"]
        self._taps = [Tap(fetch._MapDatasetFetcher, "fetch", self._asked),
                      Tap(fetch._IterableDatasetFetcher, "fetch", self._asked)]

    def apply(self):
        """Begins to read."""
        for tap in self._taps:
            tap.apply()

    def _asked(self, fetcher, frame):
        begin = time.monotonic_ns()
        self._count += 1
        self._recorder.record(self._count, begin, DATA, 0)
        self._spent += time.monotonic_ns() - begin
        self._recorder.flight.progress(self._count, DATA, self._spent, guard.errors)
