"""Steps of optimizers: one event for each real step of the one that sets the period."""

import sys
import weakref

from _torchleak import guard
from _torchleak.clock import OPTIMIZER
from _torchleak.pacemaker import Pacemaker
from _torchleak.patch import Patch
from _torchleak.tap import Tap

_SLOWEST = 32
_CALLERS = 10
_LOOKS = 64


class OptimizerSource:
    """Called by torch behind each optimizer's step; knows the optimizers made so far."""

    def __init__(self, event, made, ran):
        self._event = event
        self._made = made
        self._ran = ran
        self._module = sys.modules["torch.optim.optimizer"]
        self._handles = []
        self.phases = None  # told of the beginning and the end of each step while it is set
        self._pacemaker = Pacemaker(_SLOWEST)
        self._looks = _LOOKS
        self._patches = [Tap(self._module.Optimizer, "__init__", self._new)]
        self.optimizers = []
        self._ids = set()

    def apply(self):
        """From 2.0 on there are hooks. Before, every step ends in a method that does nothing.

        The hooks stay for good: torch walks their table while it calls us, so a hook added or taken
        away at the end of a step would raise in the target.
        """
        module = self._module
        if hasattr(module, "register_optimizer_step_pre_hook"):
            self._handles = [
                module.register_optimizer_step_pre_hook(self._before_step),
                module.register_optimizer_step_post_hook(self._after_step),
            ]
        else:
            self._patches.append(Patch(self._module.Optimizer, "_optimizer_step_code", self._step_code))
        for patch in self._patches:
            patch.apply()

    def remove(self):
        """Takes everything out again."""
        for handle in self._handles:
            handle.remove()
        for patch in self._patches:
            patch.remove()

    def restart(self):
        """Forgets the rhythm, in a forked child."""
        self._pacemaker = Pacemaker(_SLOWEST)

    def alive(self):
        """Weak references to the optimizers there are."""
        return [ref for ref in self.optimizers if ref() is not None]

    def adopt(self, optimizer):
        """Takes an optimizer that was made before we began to look."""
        self._remember(optimizer)

    def _new(self, optimizer, frame):
        self._pacemaker.made(optimizer)
        self._remember(optimizer)

    def _remember(self, optimizer):
        # A list and not a WeakSet: an optimizer's own __eq__ and __hash__ are not ours to call.
        self.optimizers[:] = self.alive()
        self.optimizers.append(weakref.ref(optimizer))
        self._ids = set(map(id, [ref() for ref in self.optimizers]))
        self._made()

    def _step_code(source, original):  # the inner function's own `self` is what torch's profiler reads
        def _optimizer_step_code(self):
            original(self)
            source._stepped(self)

        return _optimizer_step_code

    def hooked(self):
        """Whether torch tells of the beginning and the end of each step."""
        return bool(self._handles)

    def _before_step(self, optimizer, args, kwargs):
        phases = self.phases
        if phases is not None:
            phases.before_step()

    def _after_step(self, optimizer, args, kwargs):
        phases = self.phases
        if phases is not None:
            phases.after_step()
        self._stepped(optimizer)

    def _stepped(self, optimizer):
        try:
            if self._looks and self._inside_another(sys._getframe(2)):
                return
            self._ran()
            if id(optimizer) not in self._ids:  # made by Optimizer.__init__(self, …), which nobody sees
                self._remember(optimizer)
            if self._pacemaker.ticks(optimizer):
                self._event(OPTIMIZER)
        except Exception as error:
            guard.caught(error)

    def _inside_another(self, wrapper):
        """Whether this step runs in another's: super().step(), or an optimizer around another.

        Such trainings show it at once; without one among the first steps nobody looks any more.
        """
        code = wrapper.f_code
        frame = wrapper.f_back
        for _ in range(_CALLERS):
            if frame is None:
                break
            if frame.f_code is code:
                self._looks = float("inf")
                return True
            frame = frame.f_back
        self._looks -= 1
        return False
