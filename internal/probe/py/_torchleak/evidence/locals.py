"""Reads the names of functions: running, suspended in a generator, or kept by a traceback."""

import dis
import gc
import sys
import types
from itertools import compress

# Functions that ask for their own names as a dict: before 3.13 that dict is one with ours.
_ASKING = frozenset(("locals", "vars", "dir", "eval", "exec"))
SNAPSHOTS = sys.version_info < (3, 13)
_PREFIXES = {id(types.GeneratorType): "gi", id(types.CoroutineType): "cr", id(types.AsyncGeneratorType): "ag"}
_asking = {}  # id of code -> (code, whether it does)
OPTIMIZED = 1  # names live in slots and not in a dict
_COMPREHENSIONS = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>"))  # functions of their own before 3.12


def readable(code):
    """Whether the names of such a frame can be read without changing what the function sees."""
    if not code.co_flags & OPTIMIZED:
        return False  # module and class bodies: their names are read from the module or the class
    return not SNAPSHOTS or not _asks(code)


def _asks(code):
    if _ASKING.isdisjoint(code.co_names):
        return False
    known = _asking.get(id(code))
    if known is None:
        # The name alone may be an attribute's, as in model.eval().
        known = _asking[id(code)] = (code, any(
            step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and step.argval in _ASKING
            for step in dis.get_instructions(code)))
    return known[1]


def read(frame):
    """[(name, value), …] of the frame's names.

    Before Python 3.13 asking a frame for its names leaves a dict of them behind that keeps their
    values alive; what this put there is taken away again. Never call it from a trace function.
    """
    code = frame.f_code
    if not readable(code):
        return []
    names = frame.f_locals
    pairs = list(names.items())
    if SNAPSHOTS and sys.gettrace() is None:
        for name in code.co_varnames + code.co_cellvars + code.co_freevars:
            names.pop(name, None)
    return pairs


def borrowed(code):
    """The names that a frame has from the function around it, which runs as well: they are that function's."""
    return code.co_freevars if code.co_name in _COMPREHENSIONS else ()


def waiting(obj):
    """The frame of a generator or coroutine; None of one that has ended, and of anything else."""
    prefix = _PREFIXES.get(id(type(obj)))
    return getattr(obj, prefix + "_frame") if prefix is not None else None


def frames_that_wait(codes):
    """The frames of the generators and coroutines there are that run code of codes (id -> code)."""
    objects = gc.get_objects()
    for obj in compress(objects, map(_PREFIXES.__contains__, map(id, map(type, objects)))):
        if id(getattr(obj, _PREFIXES[id(type(obj))] + "_code")) in codes:
            frame = waiting(obj)
            if frame is not None:
                yield frame


def namespaces(frame):
    """The dicts in which a frame looks up the names that are not a function's own."""
    yield frame.f_globals
    # The names of a module or class body are a dict at any rate: asking for them makes none.
    if not frame.f_code.co_flags & OPTIMIZED and type(frame.f_locals) is dict:
        yield frame.f_locals


def frames_of_threads(is_wanted):
    """The frames of the functions that run from wanted files, those of the asking thread first, innermost first."""
    own = sys._getframe()
    threads = sys._current_frames()
    mine = [key for key, frame in threads.items() if _below(own, frame)]
    own = None  # a frame that knows itself, and with it the target's below, would stay until the collector runs
    order = [threads[key] for key in mine] + [frame for key, frame in threads.items() if key not in mine]
    threads.clear()
    while order:
        frame = order.pop(0)
        while frame is not None:
            if is_wanted(frame.f_code.co_filename) or _is_text(frame.f_code):
                yield frame
            frame = frame.f_back


def _is_text(code):
    """Whether this is a program that exec() was given as text, whatever it calls the file it has none of."""
    name = code.co_filename
    return code.co_name == "<module>" and name.startswith("<") and not name.startswith("<frozen")


def _below(inner, frame):
    while inner is not None:
        if inner is frame:
            return True
        inner = inner.f_back
    return False


def qualified_name(code):
    """The function's name, with its class where Python keeps it."""
    return getattr(code, "co_qualname", None) or code.co_name
