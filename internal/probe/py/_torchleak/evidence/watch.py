"""The window in which the target is followed line by line and its calls are noted."""

import contextlib
import sys
import time

from _torchleak import guard
from _torchleak.evidence import births, calls, tracer

_SECONDS = 5.0


class Watch:
    """One window. begin() and end() are called at step boundaries."""

    def __init__(self, ctx, kinds, reader, targets, findings, keys):
        self._ctx = ctx
        self._findings = findings
        self._numbers = {target.number for target in targets}
        self._calls = calls.Calls(ctx, kinds, reader)
        self._births = births.Births(ctx, kinds, reader, keys)
        self._tracer = tracer.Tracer(ctx, targets, self._births.observe, _SECONDS)
        self._tracer.on_begin = self._births.begin
        self._tracer.on_write = self._births.kept
        self._tracer.training = lambda: self._calls.training
        self._tracer.phase = ctx.phases.current
        self._started = 0.0
        self._following = False  # the phases and the calls
        self._tracing = False

    def begin(self):
        """Starts to look."""
        self._started = time.perf_counter()
        if compiles(sys.modules):
            self._ctx.note("torch.compile is in use: lines and calls were not followed, nothing must be compiled anew")
            return
        self._following = True
        self._ctx.phases.enable(self._ctx.memory)
        self._calls.begin()
        if not self._numbers:
            return
        frame = sys._getframe(1)
        while frame is not None and guard.OWN in frame.f_code.co_filename:
            frame = frame.f_back
        reason = self._tracer.begin(frame)
        self._tracing = not reason
        if reason:
            self._ctx.note(reason)

    def expired(self):
        """Whether the longest time allowed is over."""
        return time.perf_counter() - self._started > _SECONDS

    def satisfied(self):
        """Whether every holder under watch was seen to be written."""
        return not self._tracing or self._numbers <= set(self._tracer.writes)

    def end(self):
        """Puts everything back and enters what was seen. Where one end fails the others come all the same."""
        with contextlib.ExitStack() as ends:  # the last one first
            ends.callback(self._enter)
            if self._following:
                ends.callback(self._ctx.phases.disable)
                ends.callback(self._enter_phases)
            ends.callback(self._calls.end)
            ends.callback(self._tracer.end)

    def _enter_phases(self):
        self._findings.phases = self._ctx.phases.growth()

    def _enter(self):
        for holder in self._findings.holders:
            holder["writes"] = self._tracer.writes.get(holder["id"], [])
        self._findings.births = self._births.entries()
        self._findings.calls = self._calls.facts.entries()
        self._findings.registrations = self._calls.registrations.entries()


def compiles(modules):
    """Whether torch.compile has worked in this process. Importing it to ask would be no answer."""
    convert = modules.get("torch._dynamo.convert_frame")
    if convert is None:
        return False
    counters = getattr(modules.get("torch._dynamo.utils"), "counters", None) or {}
    return bool(getattr(convert, "FRAME_COUNTER", 0) or dict.get(counters, "frames"))


class SavedTensorHooks:
    """Notices that saved tensors go through hooks (checkpointing, offloading) while it is on."""

    def __init__(self, torch):
        self._module = torch._C._autograd
        self._original = self._module._push_saved_tensors_default_hooks
        self.seen = False

        def push(*args):
            self.seen = True
            return self._original(*args)

        self._wrapper = push
        self._module._push_saved_tensors_default_hooks = push

    def end(self):
        """Puts the original back."""
        if self._module._push_saved_tensors_default_hooks is self._wrapper:
            self._module._push_saved_tensors_default_hooks = self._original
