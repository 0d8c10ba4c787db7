"""Facts about calls, seen while the watch is on: who keeps graphs, registers hooks, evaluates with gradients on.

A few of torch's functions are replaced by ones that note the caller and go on; end() puts the
originals back. What somebody else replaced on top meanwhile stays, and ours then only goes on.
"""

import functools
import sys
import threading

from _torchleak.evidence import kinds as k

_FRAMES = 6
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
        self._live = False
        self._replaced = []
        self._depth = threading.local()
        self.training = None  # of the outermost module that ran last
        self.facts = Counter("what")
        self.registrations = Counter("table")

    def begin(self):
        """Replaces the functions."""
        torch = self._torch
        self._live = True
        self._replace(torch.autograd, "backward", self._backward)
        self._replace(torch.nn.Module, "__call__", self._module_call)
        for name in _TABLES:
            owner = torch.Tensor if name == "register_hook" else torch.nn.Module
            self._note_calls(owner, name, "register_hook", _TABLES[name])
        self._note_calls(torch.optim.Optimizer, "add_param_group", "add_param_group")
        self._note_calls(torch.jit, "trace", "jit_trace")
        distributed = sys.modules.get("torch.distributed")
        if distributed is not None:
            self._note_calls(distributed, "new_group", "new_group")

    def end(self):
        """Puts the originals back."""
        self._live = False
        for owner, name, wrapper, original in reversed(self._replaced):
            if vars(owner).get(name) is wrapper:
                setattr(owner, name, original)
        self._replaced = []
        self._switches()

    def _switches(self):
        """Debug tools that were left on."""
        enabled = getattr(self._torch.autograd, "_profiler_enabled", None)
        if enabled is not None and enabled():
            self.facts.add("profiler_on", [])
        if self._torch.is_anomaly_enabled():
            self.facts.add("anomaly_on", [])

    def _replace(self, owner, name, make):
        original = vars(owner).get(name)
        if original is None:
            return
        wrapper = functools.wraps(original)(make(original))
        setattr(owner, name, wrapper)
        self._replaced.append((owner, name, wrapper, original))

    def _frames(self):
        return self._ctx.user_frames(sys._getframe(2), _FRAMES)

    def _note_calls(self, owner, name, what, table=None):
        def make(original):
            def call(*args, **kwargs):
                if self._live:
                    self._called(what, table)
                return original(*args, **kwargs)
            return call
        self._replace(owner, name, make)

    def _called(self, what, table):
        try:
            frames = self._frames()
            # An optimizer's own __init__ enters its first groups.
            if what == "add_param_group" and _inside_init(sys._getframe(2)):
                return
            self.facts.add(what, frames)
            if table is not None:
                self.registrations.add(table, frames)
        except Exception as error:
            self._ctx.note("a call could not be noted: %s" % type(error).__name__)

    def _backward(self, original):
        def backward(*args, **kwargs):
            if self._live:
                self._backward_called(args, kwargs)
            return original(*args, **kwargs)
        return backward

    def _backward_called(self, args, kwargs):
        try:
            create = kwargs.get("create_graph", args[3] if len(args) > 3 else False)
            retain = kwargs.get("retain_graph", args[2] if len(args) > 2 else None)
            if create is True:
                self.facts.add("backward.create_graph", self._frames())
            elif retain is True:
                self.facts.add("backward.retain_graph", self._frames())
        except Exception as error:
            self._ctx.note("a backward could not be noted: %s" % type(error).__name__)

    def _module_call(self, original):
        def __call__(module, *args, **kwargs):
            if not self._live:
                return original(module, *args, **kwargs)
            depth = self._depth
            outermost = not getattr(depth, "inside", False)
            depth.inside = True
            try:
                if outermost:
                    self.training = (k.instance_dict(module) or {}).get("training") is True
                result = original(module, *args, **kwargs)
            finally:
                if outermost:
                    depth.inside = False
            if outermost:
                self._module_ran(module, result)
            return result
        return __call__

    def _module_ran(self, module, result):
        try:
            evaluating = (k.instance_dict(module) or {}).get("training") is False
            if evaluating and self._torch.is_grad_enabled() and self._has_graph(result, 2):
                self.facts.add("module_forward_grad_eval", self._frames())
        except Exception as error:
            self._ctx.note("a forward could not be noted: %s" % type(error).__name__)

    def _has_graph(self, result, depth):
        kind = self._kinds.of(result)
        if kind == k.TENSOR:
            with self._reader.quiet():
                return self._reader.grad_fn(result) is not None
        if depth == 0:
            return False
        inner = ()
        if kind == k.DICT:
            inner = list(dict.values(result))
        elif kind == k.TUPLE:
            inner = list(tuple.__iter__(result))
        elif kind == k.LIST:
            inner = list(list.__iter__(result))
        return any(self._has_graph(item, depth - 1) for item in inner[:16])


def _inside_init(frame):
    """Whether the call comes from the constructor of an optimizer of torch's."""
    for _ in range(6):
        if frame is None:
            return False
        code = frame.f_code
        if code.co_name == "__init__" and code.co_filename.endswith("optimizer.py"):
            return True
        frame = frame.f_back
    return False
