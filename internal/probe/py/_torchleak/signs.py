"""What else happened within a step: the flags of its record."""

import gc
import sys
import time

from _torchleak.tap import Tap

EVALUATION, EVIDENCE, COLLECTED, EPOCH = 1, 2, 4, 8

_OLDEST = 2


class Signs:
    """Notes that a model was put into evaluation and that the oldest generation was collected."""

    def __init__(self, heartbeat):
        self.flags = 0
        self._heartbeat = heartbeat
        module = sys.modules["torch.nn.modules.module"].Module
        self._patch = Tap(module, "eval", self._evaluating)

    def apply(self):
        """Reads along in the collector's callbacks; changes none of its settings."""
        self._patch.apply()
        gc.callbacks.append(self._collected)

    def remove(self):
        """Puts torch's own back and leaves the callbacks."""
        self._patch.remove()
        if self._collected in gc.callbacks:
            gc.callbacks.remove(self._collected)

    def restart(self):
        """Forgets what was noted, in a forked child."""
        self.flags = 0

    def epoch(self, began):
        """The loader that gave the last batch has begun anew, or was another's interlude."""
        if began:
            self.flags |= EPOCH
        else:
            self.flags &= ~EPOCH

    def _evaluating(self, module, frame):
        self.flags |= EVALUATION

    def _collected(self, phase, info):
        try:
            if phase == "stop":
                if info["generation"] == _OLDEST:
                    self.flags |= COLLECTED
                self._heartbeat(time.monotonic_ns())
        except Exception:  # at the interpreter's end names are gone
            pass
