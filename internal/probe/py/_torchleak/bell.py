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
_call_later = _PYTHON.Py_AddPendingCall
_call_later.argtypes, _call_later.restype = (ctypes.c_void_p, ctypes.c_void_p), ctypes.c_int
_PYTHON.Py_IncRef.argtypes, _PYTHON.Py_IncRef.restype = (ctypes.py_object,), None


_bells = []
_rung = []  # those that rang while one was answered
_ROUNDS = 8  # an answer may ring again; what rings for ever waits for the next bell


class Bell:
    """ring() runs no Python and may be called anywhere; answer() then runs in the main thread, once or more
    for all that rang. Kept for good: the interpreter is given no more than its address.

    While one is answered the others are only noted, and answered behind it: CPython 3.11 stands still for ever
    at the next call of a function that is traced when a pending call is asked for within a pending call.
    """

    def __init__(self, answer):
        self._answer = answer
        _PYTHON.Py_IncRef(self)
        self._asking = _call_later, (_IS_TRUE, ctypes.c_void_p(id(self))), {}, None
        self._noting = _rung.append, (self,), {}, None
        self.ring = functools.partial(_call_later)
        self.ring.__setstate__(self._asking)
        _bells.append(self)

    def __bool__(self):
        for bell in _bells:
            bell.ring.__setstate__(bell._noting)
        try:
            self._answer()
            for _ in range(_ROUNDS):
                if not _rung:
                    break
                rung = set(_rung)
                _rung.clear()
                for bell in rung:
                    bell._answer()
        finally:
            for bell in _bells:
                bell.ring.__setstate__(bell._asking)
        return False
