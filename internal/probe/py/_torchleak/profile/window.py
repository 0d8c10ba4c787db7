"""From which step to which a training is looked at, and the file that comes of it."""

from _torchleak import guard
from _torchleak.profile.recorder import Recorder


class Window:
    """Told of each step's end by the probe, and of the program's. make_context(step) gives a Context."""

    def __init__(self, warmup, steps):
        self._first = warmup
        self._last = warmup + steps
        self._recorder = None
        self._over = False

    @guard.guarded
    def step(self, step, make_context):
        """A step has ended."""
        if self._over or step < self._first:
            return
        try:
            if self._recorder is None:
                self._recorder = Recorder(make_context(step), step)
                self._recorder.begin()
            else:
                self._recorder.step()
                if step >= self._last:
                    self._close(True)
        except Exception:
            self._over = True
            if self._recorder is not None:
                self._recorder.abandon()
            raise

    @guard.guarded
    def end(self):
        """The program ends: what was seen is written, if the window was begun."""
        if not self._over and self._recorder is not None:
            self._close(False)

    def _close(self, complete):
        self._over = True
        self._recorder.end(complete)
