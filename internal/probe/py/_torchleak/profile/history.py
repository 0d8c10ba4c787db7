"""The history of the device's allocator: every allocation within the window, with the operator that made it.

What allocates is told by the stack. So each operator is called through a function of its own, whose line is the operator's
number: it stands on the stack of whatever the operator allocates, in every thread.
"""

import os
import pickle
import types

FILE = "<torchleak profile>"
_TEMPLATE = compile("def call(func, args, kwargs): return func(*args, **kwargs)", FILE, "exec").co_consts[0]


class History:
    """On from begin() to end(), where this torch has one that can be switched off, and nobody else uses it."""

    def __init__(self, ctx):
        self._ctx = ctx
        self._on = False
        self.call = _plainly

    def begin(self):
        """Switches it on."""
        torch = self._ctx.torch
        cuda = getattr(torch, "cuda", None)
        if cuda is None or not cuda.is_initialized():
            return
        asked = getattr(torch._C, "_cuda_isHistoryEnabled", None)
        if asked is None:
            self._ctx.note("this torch has no allocation history that can be read: what operators allocate inside is not seen")
        elif asked():
            self._ctx.note("the program itself uses the allocation history: what operators allocate inside is not seen")
        else:
            cuda.memory._record_memory_history(enabled="all", context="alloc", stacks="python")
            self._on = True
            self.call = _marked

    def covers(self, device):
        """Whether the end of this device's memory is told by the history; also once that is over."""
        return self._on and device.startswith("cuda")

    def drop(self):
        """Switches it off again."""
        if self.call is not _plainly:
            self.call = _plainly
            self._ctx.torch.cuda.memory._record_memory_history(enabled=None)

    def end(self):
        """The same, but keeps it: the name of the file that it was written to, empty where there is none."""
        if self.call is _plainly:
            return ""
        try:
            snapshot = self._ctx.torch.cuda.memory._snapshot()
        finally:
            self.drop()
        path = self._ctx.file("profile.pickle")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            pickle.dump(snapshot, file, protocol=4)
        return os.path.basename(path)


def _plainly(op, func, args, kwargs):
    return func(*args, **kwargs)


def _marked(op, func, args, kwargs):
    return types.FunctionType(_TEMPLATE.replace(co_firstlineno=op + 1), {})(func, args, kwargs)
