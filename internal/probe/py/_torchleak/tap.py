"""Notices calls without standing in their way.

A descriptor in place of a method is asked for it before each call, and is gone from the stack when the
call begins; what it hands out lives exactly as long as the call, and tells of its end. So no frame of ours
is in a traceback of the target's, none shifts the level at which a warning is laid, and whoever asks the
class itself for the method gets torch's own. The end is told between two instructions, see bell.py.
"""

import functools
import sys
import threading
import types
import weakref

from _torchleak import guard
from _torchleak.bell import Bell

_DEEPEST = 100
_PARENT_MISSING = object()


class Tap:
    """Stands in a class for a method while applied. before(instance, frame of the caller) returns None,
    or a function to be called when the call has ended, whichever way."""

    def __init__(self, owner, name, before):
        self._owner = owner
        self._name = name
        self._before = before
        self._own = _PARENT_MISSING  # what stood in the class itself
        self.applied = False

    def apply(self):
        """Takes the method's place, once."""
        if not self.applied:
            self._own = vars(self._owner).get(self._name, _PARENT_MISSING)
            self._bind = self._inherited if self._own is _PARENT_MISSING else type(self._own).__get__
            setattr(self._owner, self._name, self)
            self.applied = True

    def remove(self):
        """Puts the method back, unless somebody has replaced us in turn."""
        if self.applied and vars(self._owner).get(self._name) is self:
            if self._own is _PARENT_MISSING:
                delattr(self._owner, self._name)
            else:
                setattr(self._owner, self._name, self._own)
        self.applied = False

    def _inherited(self, _, obj, owner):
        return getattr(super(self._owner, owner if obj is None else obj), self._name)

    def __get__(self, obj, owner=None):
        bound = self._bind(self._own, obj, owner)
        if obj is None or not self.applied:
            return bound
        try:
            ended = self._before(obj, caller(sys._getframe(1)))
            return bound if ended is None else _until(bound, ended)
        except Exception as error:
            guard.caught(error)
            return bound

    def __reduce__(self):
        # A class that is pickled by value takes torch's method along and not us.
        return getattr, (self._owner.__mro__[1] if self._own is _PARENT_MISSING else self._owner, self._name)


class BackwardTap:
    """Notices each torch.autograd.backward, Tensor.backward's among them. before(its frame) as in Tap."""

    def __init__(self, torch, before):
        self._owner = torch.autograd.Variable
        self._before = before
        self._backward, self._runner = _backward_codes(torch)
        self._own = None
        self.applied = False

    def apply(self):
        """Takes the engine's place, once."""
        if not self.applied:
            self._own = vars(self._owner)["_execution_engine"]
            self._owner._execution_engine = self
            self.applied = True

    def remove(self):
        """Puts the engine back, unless somebody has replaced us in turn."""
        if self.applied and vars(self._owner).get("_execution_engine") is self:
            self._owner._execution_engine = self._own
        self.applied = False

    def __get__(self, obj, owner=None):
        get = getattr(type(self._own), "__get__", None)
        engine = self._own if get is None else get(self._own, obj, owner)
        if not self.applied:
            return engine
        try:
            frame = caller(sys._getframe(1))
            if frame.f_code is self._runner:
                frame = frame.f_back
            if frame is None or frame.f_code is not self._backward:
                return engine
            ended = self._before(frame)
            if ended is not None:
                return types.SimpleNamespace(run_backward=_until(engine.run_backward, ended))
        except Exception as error:
            guard.caught(error)
        return engine


@functools.lru_cache(maxsize=2)
def _backward_codes(torch):
    """The code of torch.autograd.backward and that of what it starts the engine with from 2.1 on, as they
    were at first: a program may replace them."""
    runner = getattr(sys.modules.get("torch.autograd.graph"), "_engine_run_backward", None)
    return torch.autograd.backward.__code__, getattr(runner, "__code__", None)


class Outermost:
    """Tells calls of outermost modules from those inside another's."""

    def __init__(self):
        self._inside = sys.modules["torch.nn.modules.module"].Module._call_impl.__code__

    def __call__(self, frame):
        """Whether a module called from this frame is an outermost one. What a compiler asks for is none."""
        inside, first = self._inside, frame
        for _ in range(_DEEPEST):
            if frame is None:
                break
            if frame.f_code is inside:
                return False
            frame = frame.f_back
        return first is None or not str(first.f_globals.get("__name__")).startswith("torch._dynamo")


_open = []  # (reference to a call, what to do when it has ended) of the main thread's


def _answer():
    """Some calls have ended: the innermost, begun last, come first."""
    for index in reversed(range(len(_open))):
        if _open[index][0]() is None:
            _ended(_open.pop(index)[1])


_ended = guard.guarded(lambda ended: ended())


class _Call(functools.partial):
    """A bound method that rings when nobody needs it any more: its call has ended."""


def begin():
    """Begins to tell of ends, those of calls that begin from now on."""
    _open.clear()
    _Call.__del__ = staticmethod(Bell(_answer).ring)


class _ThreadsCall(functools.partial):
    """The same in another thread, in which no signal handler runs."""

    def __del__(self):
        _ended(self.ended)


def _until(bound, ended):
    if threading.get_ident() != threading.main_thread().ident:
        call = _ThreadsCall(bound)
        call.ended = ended
        return call
    call = _Call(bound)
    call.kept = True  # a partial of a partial without attributes takes it apart, and so ends it before it has begun
    _open.append((weakref.ref(call), ended))
    return call


def caller(frame):
    """The frame that asked, behind taps that stand in front of each other."""
    while frame.f_code in _OURS:
        frame = frame.f_back
    return frame


_OURS = (Tap.__get__.__code__, Tap._inherited.__code__, BackwardTap.__get__.__code__)
