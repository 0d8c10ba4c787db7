"""Facts about calls, seen while the watch is on: who keeps graphs, registers hooks, evaluates with gradients on.

Methods are looked at without standing in their way; a few functions are replaced by ones that note the
caller and go on. end() puts everything back. What somebody else replaced on top meanwhile stays, and ours
then only goes on.
"""

import sys

from _torchleak import guard
from _torchleak.evidence import kinds as k
from _torchleak.evidence import tables
from _torchleak.patch import Patch
from _torchleak.tap import BackwardTap, Outermost, Tap

_FRAMES = 6
_DEEPEST = 12
_TABLES = {
    "register_forward_hook": "_forward_hooks", "register_forward_pre_hook": "_forward_pre_hooks",
    "register_backward_hook": "_backward_hooks", "register_full_backward_hook": "_backward_hooks",
    "register_full_backward_pre_hook": "_backward_pre_hooks", "register_hook": "_backward_hooks",
}


class Counter:
    """Counts facts by what was seen and where."""

    def __init__(self, field):
        self._field = field
        self._entries = {}

    def add(self, value, frames):
        """One more of this at these frames."""
        key = (value,) + tuple((frame["file"], frame["line"]) for frame in frames[:3])
        entry = self._entries.setdefault(key, {self._field: value, "frames": frames, "count": 0})
        entry["count"] += 1

    def entries(self):
        """All of them, the commonest first."""
        return sorted(self._entries.values(), key=lambda entry: -entry["count"])


class Calls:
    """The replaced functions and what they noted."""

    def __init__(self, ctx, kinds, reader):
        self._ctx = ctx
        self._torch = ctx.torch
        self._kinds = kinds
        self._reader = reader
        self._taps = []
        self._outermost = Outermost()
        self.training = None  # of the outermost module that ran last
        self.facts = Counter("what")
        self.registrations = Counter("table")

    def begin(self):
        """Begins to look."""
        torch = self._torch
        self._taps = [BackwardTap(torch, self._backward), Tap(torch.nn.Module, "__call__", self._module_called)]
        for name, table in _TABLES.items():
            owner = torch.Tensor if name == "register_hook" else torch.nn.Module
            if name in vars(owner):
                self._taps.append(Tap(owner, name, self._registering(table)))
        self._taps.append(Tap(torch.optim.Optimizer, "add_param_group", self._group_added))
        self._taps.append(Patch(torch.jit, "trace", self._noting("jit_trace")))
        distributed = sys.modules.get("torch.distributed")
        if distributed is not None and "new_group" in vars(distributed):
            self._taps.append(Patch(distributed, "new_group", self._noting("new_group")))
        for tap in self._taps:
            tap.apply()

    def end(self):
        """Puts the originals back."""
        for tap in reversed(self._taps):
            tap.remove()
        self._taps = []
        self._switches()

    def _switches(self):
        """Debug tools that were left on."""
        enabled = getattr(self._torch.autograd, "_profiler_enabled", None)
        if enabled is not None and enabled():
            self.facts.add("profiler_on", [])
        if self._torch.is_anomaly_enabled():
            self.facts.add("anomaly_on", [])

    def _frames(self, frame):
        return self._ctx.user_frames(frame, _FRAMES)

    def _noting(self, what):
        def make(original):
            def call(*args, **kwargs):
                try:
                    self.facts.add(what, self._frames(sys._getframe(1)))
                except Exception as error:
                    guard.caught(error)
                return original(*args, **kwargs)
            return call
        return make

    def _registering(self, table):
        def registered(_, frame):
            frames = self._frames(frame)
            self.facts.add("register_hook", frames)
            self.registrations.add(table, frames)
        return registered

    def _group_added(self, _, frame):
        if not _inside_init(frame):  # an optimizer's own __init__ enters its first groups
            self.facts.add("add_param_group", self._frames(frame))

    def _backward(self, frame):
        arguments = frame.f_locals
        if arguments.get("create_graph") is True:
            self.facts.add("backward.create_graph", self._frames(frame))
        elif arguments.get("retain_graph") is True:
            self.facts.add("backward.retain_graph", self._frames(frame))

    def _module_called(self, module, frame):
        if not self._outermost(frame):
            return
        self.training = k.attribute(module, "training") is True
        if not self.training and self._torch.is_grad_enabled() and self._learns(module, _DEEPEST):
            self.facts.add("module_forward_grad_eval", self._frames(frame))

    def _learns(self, module, depth):
        """Whether a parameter of a module, or of those in it, takes gradients."""
        for _, tensor in tables.tensors(module, "_parameters", self._kinds):
            if self._kinds.of(tensor) == k.TENSOR and self._reader.get_requires_grad(tensor):
                return True
        return depth > 0 and any(self._learns(child, depth - 1) for _, child in tables.children(module, self._kinds))


def _inside_init(frame):
    """Whether the call comes from the constructor of torch's base of all optimizers."""
    for _ in range(6):
        if frame is None:
            return False
        if frame.f_code.co_name == "__init__" and frame.f_globals.get("__name__") == "torch.optim.optimizer":
            return True
        frame = frame.f_back
    return False
