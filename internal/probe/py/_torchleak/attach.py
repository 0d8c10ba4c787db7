"""Puts the probe into a program that has been running for long, and takes it out again.

torchleak has the interpreter call us between two of the main thread's instructions. What is returned says why it could
not be done; nothing where it was.
"""

import gc
import os
import shutil
import sys
import types
from itertools import compress

import _torchleak
from _torchleak import bell, guard
from _torchleak.reader import Reader

BUSY, OCCUPIED = "busy", "occupied"
LOCK = "lock"  # in the probe's folder: torchleak holds it while it reads


def call(function, run_dir):
    """Does what is asked for, "begin" or "end". Bells that ring meanwhile are answered behind it."""
    said = []
    bool(bell.Called(lambda: said.append(_guarded({"begin": _begin, "end": _end}[function], run_dir))))
    return said[0]


def _begin(run_dir):
    from _torchleak import probe, workers

    torch = sys.modules["torch"]
    if probe.probe is not None:
        return OCCUPIED
    if _at_hooks(sys._getframe()):
        return BUSY
    guard.errors, guard.last = 0, ""  # those of a probe that was here before
    try:
        folder = os.path.dirname(_torchleak.__path__[0])
        optimizers, loaders = _living(torch)
        probe.attach(torch, run_dir, optimizers, Reader(os.path.join(folder, LOCK)), lambda: _leave(folder))
        workers.introduce(torch, run_dir, loaders)
    except BaseException:
        if probe.probe is not None:
            probe.detach()
        _park()
        raise
    return ""


def _end(run_dir):
    from _torchleak import probe

    if probe.probe is None or not os.path.samefile(probe.probe.run_dir, run_dir):
        return ""
    return _take_out()


def _take_out():
    from _torchleak import probe

    if _at_hooks(sys._getframe()) or probe.probe.busy:
        return BUSY
    probe.detach()
    _park()
    return ""


def _leave(folder):
    """Torchleak was killed: what it would have done is done here, as soon as it can be."""
    if _take_out() == "":
        shutil.rmtree(folder, ignore_errors=True)


def _park():
    """Leaves no module of ours but that of the bells, which the interpreter keeps anyway. It keeps the others for whoever
    attaches the next time: forgotten, they would be garbage until the collector's oldest generation is due, which in a large
    program is seldom, and each time anew."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "_torchleak" and name != bell.__name__]:
        bell.parked[name] = sys.modules.pop(name)
    folder = os.path.dirname(_torchleak.__path__[0])
    for path in [path for path in sys.path_importer_cache if path.startswith(folder)]:
        del sys.path_importer_cache[path]


def _living(torch):
    """The optimizers there are, and the iterators of data loaders. Asked by type alone, an object's own __class__ is not ours to call, and in
    C: the program stands still for it."""
    objects = gc.get_objects()
    data = sys.modules.get("torch.utils.data.dataloader")
    loader = getattr(data, "_MultiProcessingDataLoaderIter", None)
    optimizers = set(map(id, _kinds(torch.optim.Optimizer)))
    loaders = set(map(id, _kinds(loader))) if loader is not None else set()
    # One pass, of which nothing is kept but what is found: numbers of all objects' kinds would leave holes in the program's heap.
    found = list(compress(objects, map((optimizers | loaders).__contains__, map(id, map(type, objects)))))
    return [one for one in found if id(type(one)) in optimizers], [one for one in found if id(type(one)) in loaders]


def _kinds(base):
    """A class and all below it."""
    kinds = [base]
    for kind in kinds:
        kinds += type.__subclasses__(kind)
    return kinds


def _at_hooks(frame):
    """Whether torch walks the table of hooks around an optimizer's step, which must not change then. While the step itself
    runs it does not."""
    inner = None
    while frame is not None:
        if _wraps_step(frame) and not _runs_step(frame, inner):
            return True
        inner, frame = frame, frame.f_back
    return False


def _wraps_step(frame):
    return "func" in frame.f_code.co_freevars and frame.f_globals.get("__name__") == "torch.optim.optimizer"


def _runs_step(frame, inner):
    """Whether a frame of torch's wrapper around a step has called that step."""
    step = frame.f_locals.get("func")
    return inner is not None and type(step) is types.FunctionType and inner.f_code is step.__code__


def _guarded(function, *args):
    try:
        return function(*args)
    except Exception as error:
        guard.caught(error)
        return guard.last
