# Runs in the attached program between two instructions of its main thread, in a namespace of its own. Above stand the
# paths, as bytes.
import json
import os
import sys
import time


def answer(why, begun):
    path = os.fsdecode(ANSWER)
    with open(path + ".part", "w", encoding="ascii") as file:
        json.dump({"why": why, "where": recording(), "nanos": time.monotonic_ns() - begun}, file)
    os.replace(path + ".part", path)


def recording():
    """The directory of the recording that is made here; empty where there is none."""
    probe = getattr(sys.modules.get("_torchleak.probe"), "probe", None)
    return os.path.abspath(probe.run_dir) if probe is not None else ""


def load():
    """The probe's module for this; None where another torchleak's is in the program."""
    folder = os.fsdecode(PROBE)
    if "_torchleak" in sys.modules:
        return sys.modules.get("_torchleak.attach")
    wake(folder)
    writes = sys.dont_write_bytecode
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    try:
        import _torchleak.attach
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = writes
    sys.modules["_torchleak.bell"].version = VERSION
    return _torchleak.attach


def wake(folder):
    """Takes up the modules that a torchleak of the same version has left here. What they import from now on lies elsewhere."""
    bells = sys.modules.get("_torchleak.bell")
    if bells is None:
        return
    if vars(bells).get("version") != VERSION:
        del sys.modules["_torchleak.bell"]
        return
    for name, module in bells.parked.items():
        if hasattr(module, "__path__"):
            module.__path__ = [os.path.join(folder, *name.split("."))]
    sys.modules.update(bells.parked)
    bells.parked.clear()


def do(function):
    if sys.version_info < (3, 8):
        return "old"
    torch = sys.modules.get("torch")
    if not hasattr(torch, "optim") or not hasattr(torch, "autograd"):
        return "no torch"
    if getattr(vars(torch).get("__spec__"), "_initializing", False):
        return "no torch"  # half imported
    attach = load()
    if attach is None:
        return "occupied"
    return attach.call(function, os.fsdecode(RUN))


def main():
    begun = time.monotonic_ns()
    os.unlink(FILE)  # nobody can call it off any more
    try:
        why = do(FUNCTION.decode())
    except Exception as error:
        why = "%s: %s" % (type(error).__name__, error)
    answer(why, begun)


main()
