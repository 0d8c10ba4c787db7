"""Notices that memory ran out, and leaves what was alive then.

A device's allocator tells of each request that it refuses, whether or not the program goes on. Where none tells, a
program that ends of it leaves its exception, and the frames in it are as they were.
"""

import functools
import importlib
import sys
import threading
import time

from _torchleak import bell, guard
from _torchleak.frames import outwards
from _torchleak.tap import Tap

_SAYS = ("out of memory", "DefaultCPUAllocator", "would exceed allowed memory", "STATUS_ALLOC_FAILED",
         "Unable to allocate", "Invalid buffer size", "bad_alloc")
_TOLD = ("ut of memory. Tried to allocate", "would exceed allowed memory")  # of an allocator that tells its observers
_TYPES = ("OutOfMemoryError", "MemoryError", "_ArrayMemoryError")
_CAUSES, _LONGEST_TEXT = 8, 4000
_BUDGET_MS, _ALL_NS = 1000, 1000000000  # for one look, and for all of a program that goes on
_OBSERVER = "observer"
_MESSAGE = BaseException.args.__get__
_CAUSE, _WITHIN = BaseException.__cause__.__get__, BaseException.__context__.__get__
_TRACEBACK = BaseException.__traceback__.__get__


class Shortage:
    """What happens when memory runs out. context(memory, budget) makes the surroundings of one look, write(document) the
    file, path() is where the allocation history goes."""

    def __init__(self, torch, context, write, path):
        self._torch = torch
        self._context = context
        self._write = write
        self._path = path
        self._off = False
        # Reading what a graph has saved would call such hooks, and nothing shows later that there are any.
        self._hooks = Tap(torch.autograd.graph.saved_tensors_hooks, "__enter__", self._hooked)
        self._has_hooks = False
        self._queued = None  # what waits for CUDA to be initialised
        self.restart()

    def restart(self):
        """Forgets all, as in a forked child."""
        self._count = self._spent = 0
        self._busy = False
        self._document = None  # of the newest look
        self._newest = False   # whether that was at the newest refusal

    def apply(self):
        """Asks to be told, once the program has initialised CUDA: this never does."""
        self._hooks.apply()
        attach = getattr(self._torch._C, "_cuda_attach_out_of_memory_observer", None)
        later = getattr(self._torch.cuda, "_lazy_call", None)
        if attach is None or later is None:
            return
        observer, new = bell.lasting(_OBSERVER)
        bell.lead(_OBSERVER, self._refused)
        if new:
            self._queued = functools.partial(guard.guarded(attach), observer)
            later(self._queued)

    def remove(self):
        """Looks away. Torch has no way to detach an observer, and so keeps one that leads nowhere."""
        self._off = True
        self._hooks.remove()
        waiting = getattr(self._torch.cuda, "_queued_calls", None)
        if type(waiting) is list and any(entry[0] is self._queued for entry in waiting):
            waiting[:] = [entry for entry in waiting if entry[0] is not self._queued]
            bell.lose(_OBSERVER)

    def _hooked(self, instance, frame):
        self._has_hooks = True

    def _refused(self, device, asked, limit, free):
        """Called by the allocator, with none of its locks held, in the thread that asked; it raises when this returns."""
        if self._off or self._busy:
            return
        self._busy = True
        try:
            self._count += 1
            self._newest = self._spent < _ALL_NS
            if self._newest:
                stack, during = self._stack(sys._getframe().f_back)
                told = {"seen": "allocator", "requested": asked, "limit": limit, "free": free, "during": during}
                self._look("cuda:%d" % device, stack, told)
        except Exception as error:
            guard.caught(error)
        finally:
            self._busy = False

    def ended(self):
        """The program ends: was it for want of memory?"""
        if self._document is not None and self._document["count"] != self._count:
            self._document["count"] = self._count
            self._write(self._document)
        error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
        error = _shortage(error) if isinstance(error, BaseException) else None
        if error is None or self._off:
            return
        text = _text(error)
        told = {"fatal": True, "type": type(error).__name__, "text": text}
        if self._newest and any(says in text for says in _TOLD):
            self._document.update(told)
            self._write(self._document)
        else:
            self._count += not self._count
            self._look(self._memory(text), _unwound(error), dict(told, seen="exit", during=""))
        if self._document["memory"].startswith("cuda:") and self._torch.cuda.is_initialized():
            importlib.import_module("_torchleak.evidence.postmortem").history(self._torch, self._document["memory"], self._path())

    def _memory(self, text):
        """Which memory a message speaks of; empty where that cannot be told."""
        if "DefaultCPUAllocator" in text or "Unable to allocate" in text or not text:
            return "host"
        if "MPS" in text or "buffer size" in text:
            return "mps:0"
        kind = "xpu" if "XPU" in text else "cuda"
        for mark in ("(GPU ", " GPU ", "on device "):
            number = text.partition(mark)[2].partition(" ")[0].rstrip(";.,")
            if number.isdigit():
                return "%s:%s" % (kind, number)
        return kind + ":0" if self._torch.cuda.is_initialized() else "host"

    def _stack(self, frame):
        """[(frame, line), …], innermost first, of who asked; and what torch was doing. Backward threads have no Python
        frames: the main thread waits for them."""
        during = "backward" if frame is None or self._in_backward(frame) else ""
        if frame is None:
            frame = sys._current_frames().get(threading.main_thread().ident)
        return list(outwards(frame)), during

    def _in_backward(self, own):
        """Whether a backward pass runs in any thread: its nodes are locked, and must not be read."""
        task = getattr(self._torch._C, "_current_graph_task_id", None)
        if task is not None and task() != -1:
            return True
        others = sys._current_frames()
        others.pop(threading.get_ident(), None)  # a frame of ours that knows itself would keep the program's until the collector runs
        return any(map(_runs_backward, [own] + list(others.values())))

    def _look(self, memory, stack, told):
        began = time.perf_counter_ns()
        document = {"oom": 1, "count": self._count, "fatal": False, "type": "", "text": "", "memory": memory}
        document.update(told)
        try:
            look = importlib.import_module("_torchleak.evidence.postmortem")
            look.gather(self._context(memory, _BUDGET_MS), stack, document, self._has_hooks)
        finally:
            self._spent += time.perf_counter_ns() - began
            document["seconds"] = (time.perf_counter_ns() - began) / 1e9
            self._document = document
            self._write(document)


def _runs_backward(frame):
    """Whether a frame, or one that it was called from, is torch's in a backward pass."""
    outermost = frame
    for outermost, _ in outwards(frame):
        code = outermost.f_code
        if code.co_name in ("backward", "grad", "_engine_run_backward") and _is_autograd(code.co_filename):
            return True
    return outermost.f_code.co_filename.replace("\\", "/").endswith("torch/autograd/function.py")


def _is_autograd(file):
    file = file.replace("\\", "/")
    return file.endswith("torch/autograd/__init__.py") or file.endswith("torch/autograd/graph.py")


def _unwound(error):
    """The same of an exception that nobody caught."""
    found, step = [], _TRACEBACK(error)
    while step is not None:
        found.append((step.tb_frame, step.tb_lineno))
        step = step.tb_next
    return found[::-1]


def _shortage(error):
    """The exception, or one that it came from, that tells of a shortage."""
    for _ in range(_CAUSES):
        if error is None:
            break
        if type(error).__name__ in _TYPES or any(says in _text(error) for says in _SAYS):
            return error
        error = _CAUSE(error) or _WITHIN(error)
    return None


def _text(error):
    """What an exception says, without running code of its class."""
    args = _MESSAGE(error)
    return args[0][:_LONGEST_TEXT] if args and type(args[0]) is str else ""
