"""The parts of a step, and by how much the memory grows in each. Only within a window: much that
torch does is looked at."""

import sys

from _torchleak import guard
from _torchleak.tap import BackwardTap, Outermost, Tap

DATA, FORWARD, BACKWARD, OPTIMIZER, EVALUATION, REST = (
    "data", "forward", "backward", "optimizer", "evaluation", "rest")


class Ledger:
    """What each phase has added and nobody has taken away since.

    Memory that shrinks gives back what was added last, whichever phase gives it back: the
    activations of forward are freed by backward, and neither has grown.
    """

    def __init__(self):
        self._added = []

    def change(self, phase, bytes_):
        """Enters the change of the memory within one stay in a phase."""
        added = self._added
        if bytes_ > 0:
            if added and added[-1][0] == phase:
                added[-1][1] += bytes_
            else:
                added.append([phase, bytes_])
            return
        while bytes_ < 0 and added:
            left = added[-1][1] + bytes_
            if left > 0:
                added[-1][1] = left
                return
            added.pop()
            bytes_ = left

    def totals(self):
        """Bytes by phase, largest first."""
        sums = {}
        for phase, bytes_ in self._added:
            sums[phase] = sums.get(phase, 0) + bytes_
        return [{"phase": p, "bytes": b} for p, b in sorted(sums.items(), key=lambda item: -item[1])]


class Phases:
    """enable(), then current() and growth(), then disable(), which restores what was there."""

    def __init__(self, torch, backends, optimizers):
        self._torch = torch
        self._backends = backends
        self._optimizers = optimizers
        self._patches = []
        self._outermost = Outermost()
        self._phase = ""
        self._level = None
        self._last = 0
        self._ledger = Ledger()

    def enable(self, memory="host"):
        """Begins to follow the phases and this memory in them."""
        self.disable()
        self._level = self._reader(memory)
        self._ledger = Ledger()
        self._phase = REST
        self._last = self._level()
        module = sys.modules["torch.nn.modules.module"].Module
        loader = sys.modules["torch.utils.data.dataloader"]
        self._patches = [
            Tap(loader._BaseDataLoaderIter, "__next__", lambda iterator, _: self._within(DATA)),
            Tap(module, "__call__", self._forward),
            BackwardTap(self._torch, lambda _: self._within(BACKWARD)),
        ]
        self._add_optimizers()
        for patch in self._patches:
            patch.apply()

    def disable(self):
        """Puts back everything that enable() replaced; growth() stays readable."""
        for patch in reversed(self._patches):
            patch.remove()
        self._optimizers.phases = None
        self._patches = []
        self._phase = ""

    def current(self):
        """The phase the target is in; empty when the phases are not followed."""
        return self._phase

    def growth(self):
        """[{"phase", "bytes"}, …]: by how much each phase has made the memory grow, largest first."""
        self._switch(self._phase)
        return self._ledger.totals()

    def _reader(self, memory):
        for backend in self._backends:
            for index in backend.devices():
                if backend.memory_name(index) == memory:
                    return lambda: backend.level(index)
        return lambda: 0

    def _switch(self, phase):
        """Ends the stay in one phase and begins the next; the phase before."""
        before = self._phase
        if before:
            level = self._level()
            self._ledger.change(before, level - self._last)
            self._last = level
            self._phase = phase
        return before

    def _enter(self, phase):
        """Begins a phase from the step's rest; False inside another one."""
        if self._phase != REST:
            return False
        self._switch(phase)
        return True

    def _leave(self):
        try:
            self._switch(REST)
        except Exception as error:
            guard.caught(error)

    def _within(self, phase):
        """Begins a phase; what ends it."""
        return self._leave if self._enter(phase) else None

    def _forward(self, module, frame):
        if self._phase != REST or not self._outermost(frame):
            return None
        training = self._torch.is_grad_enabled() and vars(module).get("training", True)
        return self._within(FORWARD if training else EVALUATION)

    def _add_optimizers(self):
        """By torch's hooks where it has them (2.0 on), else by the record that it makes of every step."""
        if self._optimizers.hooked():
            self._optimizers.phases = self
            return
        record = sys.modules["torch.autograd.profiler"].record_function
        self._patches.append(Tap(record, "__exit__", self._recorded))

    def _recorded(self, record, frame):
        """A `with` asks for the end before it begins."""
        if frame.f_globals.get("__name__") == "torch.optim.optimizer":
            return self._within(OPTIMIZER)
        return None

    @guard.guarded
    def before_step(self):
        """An optimizer's step begins."""
        self._enter(OPTIMIZER)

    @guard.guarded
    def after_step(self):
        """An optimizer's step has ended."""
        if self._phase == OPTIMIZER:
            self._switch(REST)
