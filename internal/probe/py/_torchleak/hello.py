"""The file by which a process says that the probe is in it, docs/format/flight.md."""

import os
import platform
import sys

from _torchleak import identity as who


def describe(torch, identity, backends, flight, notes):
    """The hello of this process as it stands now."""
    rank, world, local = who.ranks(torch)
    limits = {}
    for backend in backends:
        limits.update(backend.limits())
    return {
        "hello": 1,
        "pid": identity.pid,
        "ppid": os.getppid(),
        "argv": identity.argv,
        "executable": sys.executable or "",
        "cwd": identity.cwd,
        "python": platform.python_version(),
        "torch": str(getattr(torch, "__version__", "")),
        "rank": rank,
        "world_size": world,
        "local_rank": local,
        "start_wall_ns": identity.start,
        "heap_source": next((b.heap_source for b in backends if b.heap_source), ""),
        "backends": [backend.name for backend in backends],
        "limits": limits,
        "flight": flight,
        "role": identity.role,
        "host": os.uname().nodename if hasattr(os, "uname") else "",
        "job": who.job(),
        "dataset": identity.dataset,
        "main_file": main_file(identity.cwd),
        "notes": list(notes),
    }


def main_file(cwd):
    """The file that runs as __main__, absolute; empty for a prompt or -c."""
    main = sys.modules.get("__main__")
    file = vars(main).get("__file__") if main is not None else None
    if not isinstance(file, str):
        return ""
    return os.path.normpath(os.path.join(cwd, file))
