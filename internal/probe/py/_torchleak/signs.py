"""What else happened within a step: the flags of its record."""

import gc
import sys
import time

from _torchleak import guard
from _torchleak.bell import Bell
from _torchleak.tap import Tap

EVALUATION, EVIDENCE, COLLECTED, EPOCH, HOOKS = 1, 2, 4, 8, 16

_OLDEST = 2
_COUNTED = 32  # steps from one count of hooks to the next


class Signs:
    """Notes that a model was put into evaluation, that the oldest generation was collected, and that hooks are
    registered step by step."""

    def __init__(self, heartbeat):
        self.flags = 0
        self._heartbeat = heartbeat
        self._told = {}  # what the collector tells its callbacks, entered in C
        self._entered = self._told.__setitem__
        self._canary = type("Canary", (), {"__slots__": (), "__del__": staticmethod(Bell(self._collected).ring)})
        module = sys.modules["torch.nn.modules.module"].Module
        self._patch = Tap(module, "eval", self._evaluating)
        self._handles = sys.modules["torch.utils.hooks"].RemovableHandle  # each has a number of its own
        self._hooks, self._counted, self._often = 0, 0, False

    def apply(self):
        """Reads along in the collector's callbacks; changes none of its settings."""
        self._patch.apply()
        self.listen()
        gc.callbacks.append(self._entered)

    def remove(self):
        """Puts torch's own back and leaves the callbacks."""
        self._patch.remove()
        gc.callbacks[:] = [callback for callback in gc.callbacks if callback is not self._entered]
        self._told.clear()  # a canary that lived on would ring when the interpreter ends

    def restart(self):
        """Forgets what was noted, in a forked child."""
        self.flags = 0

    def epoch(self, began):
        """The loader that gave the last batch has begun anew, or was another's interlude."""
        if began:
            self.flags |= EPOCH
        else:
            self.flags &= ~EPOCH

    def count(self, step):
        """Looks now and then whether a hook or more was registered in each step since, twice in a row."""
        if step - self._counted < _COUNTED:
            return
        made = self._handles.next_id
        often = made - self._hooks >= step - self._counted
        if often and self._often:
            self.flags |= HOOKS
        self._hooks, self._counted, self._often = made, step, often

    def _evaluating(self, module, frame):
        self.flags |= EVALUATION

    def listen(self):
        """What the next collection tells takes the place of a canary, whose death rings."""
        if type(self._told.get("stop")) is not self._canary:
            self._told["stop"] = self._canary()

    @guard.guarded
    def _collected(self):
        told = self._told.get("stop")
        if type(told) is dict:
            self.listen()
            if told["generation"] == _OLDEST:
                self.flags |= COLLECTED
            self._heartbeat(time.monotonic_ns())
