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


class Bell:
    """ring() runs no Python and may be called anywhere; answer() then runs in the main thread, once or more
    for all that rang. Kept for good: the interpreter is given no more than its address."""

    def __init__(self, answer):
        self._answer = answer
        _PYTHON.Py_IncRef(self)
        self.ring = functools.partial(_call_later, _IS_TRUE, ctypes.c_void_p(id(self)))

    def __bool__(self):
        self._answer()
        return False
