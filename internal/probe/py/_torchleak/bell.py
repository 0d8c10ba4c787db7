"""Runs code of ours where what is raised in it reaches the target.

Python swallows what is raised while an object dies, a collection ends or a process forks: a
KeyboardInterrupt that arrived in code of ours there would be lost. So none of ours runs there. What
happens there only rings, in C: the interpreter then asks for us between two of the main thread's next
instructions, where an exception goes the usual way.
"""

import ctypes
import functools

# A library object of our own: how its functions are called is set for nobody else.
_PYTHON = ctypes.PyDLL(None)
_IS_TRUE = ctypes.cast(_PYTHON.PyObject_IsTrue, ctypes.c_void_p)
# It is given pointers as they are: types declared for them would be asked in Python's way, for which the stack may have no room.
_call_later = _PYTHON.Py_AddPendingCall
_call_later.restype = ctypes.c_int
_PYTHON.Py_IncRef.argtypes, _PYTHON.Py_IncRef.restype = (ctypes.py_object,), None


_made, _idle = [], []  # the bells that are in use, and those that are not any more
_rung = []  # addresses of those that rang while one was answered
_ROUNDS = 8  # an answer may ring again; what rings for ever waits for the next bell

# What all bells ring through. It is changed by one call in C, so that no signal comes between; without an
# attribute of its own partial would look through it once and for all.
_ASKING = _call_later, (_IS_TRUE,), {}, {"whose": "torchleak"}
_NOTING = _rung.append, (), {}, {"whose": "torchleak"}
_gate = functools.partial(_call_later)
_gate.__setstate__(_ASKING)

# The state of a functools.partial that takes anything and does nothing, in C.
NOTHING = "".format, (), {}, {"whose": "torchleak"}

_lasting = {}  # name -> a partial that somebody keeps for good
parked = {}  # of a probe that was taken out: its modules by name, for whoever attaches the next time
version = ""  # of that probe

# For code that the interpreter was asked for from outside: bells are only noted from hush() to heed(). Neither runs Python,
# for a bell may have rung already, and a call that is traced is what must not come then.
hush, heed = functools.partial(_gate.__setstate__, _NOTING), functools.partial(_gate.__setstate__, _ASKING)


class _Address(ctypes.c_void_p):
    """Where a bell is."""


class Bell:
    """ring() runs no Python and may be called anywhere; answer() then runs in the main thread, once or more
    for all that rang. Kept for good, and used again: the interpreter is given no more than its address.

    While one is answered the others are only noted, and answered behind it: CPython 3.11 stands still for ever
    at the next call of a function that is traced when a pending call is asked for within a pending call.
    """

    def __new__(cls, answer):
        return _idle.pop() if _idle and cls is Bell else super().__new__(cls)

    def __init__(self, answer):
        self.answer = answer
        _made.append(self)
        if hasattr(self, "ring"):
            return
        _PYTHON.Py_IncRef(self)
        address = _Address(id(self))
        address.bell = self
        self.ring = functools.partial(_gate, address)

    def __bool__(self):
        before = _ASKING if _gate.func is _call_later else _NOTING
        try:
            _gate.__setstate__(_NOTING)
            self.answer()
            for _ in range(_ROUNDS):
                if not _rung:
                    break
                bells = {address.bell for address in _rung}
                _rung.clear()
                for bell in bells:
                    bell.answer()
        finally:
            _gate.__setstate__(before)
        return False


class Called(Bell):
    """What the interpreter was asked for from outside: bool() answers it as a bell, and nobody keeps it."""

    def __init__(self, answer):
        self.answer = answer


def lasting(name):
    """What is handed out where nothing can be taken back, such as for what is called behind forks: a partial that does nothing
    until lead() has it call something; and whether it was made just now, and so has to be handed out."""
    new = name not in _lasting
    if new:
        _lasting[name] = functools.partial("".format)
    return _lasting[name], new


def lead(name, function):
    """Has a lasting partial call this from now on."""
    _lasting[name].__setstate__((function, (), {}, {"whose": "torchleak"}))


def lose(name):
    """A lasting partial was taken back after all."""
    del _lasting[name]


def close():
    """The interpreter ends, and soon has not what an answer needs: nothing rings any more."""
    _gate.__setstate__(NOTHING)


def silence():
    """Has no bell answered any more, until it is used again, and nothing that lasts do anything."""
    for partial in _lasting.values():
        partial.__setstate__(NOTHING)
    for bell in _made:
        bell.answer = bool
    _idle.extend(_made)
    _made.clear()
