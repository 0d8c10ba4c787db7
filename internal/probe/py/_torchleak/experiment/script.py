"""Runs a script as `python script.py` does, but with the code that an experiment gives it.

The interpreter reads the script of its command line by itself. So it is started anew, with launch.py in front of the
script: same process, same options, same streams.
"""

import importlib.machinery
import os
import sys

from _torchleak import identity

_LAUNCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "launch.py")
_sources = None


def start(sources):
    """Starts the interpreter anew where it was given a script that runs as something else."""
    global _sources
    _sources = sources
    argv = identity.command_line()
    kind, path = identity.program(argv)
    if kind != "script" or os.path.abspath(path) == _LAUNCH or not sys.executable:
        return
    if os.path.isfile(path) and sources.concerns(path):
        place = argv.index(path)
        os.execv(sys.executable, argv[:place] + [_LAUNCH] + argv[place:])


def run():
    """Called by launch.py: becomes the script behind it on the command line."""
    del sys.argv[0]
    path = sys.argv[0]
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.path.dirname(os.path.realpath(path))
    code = _sources.code(path)
    if code is None:
        with open(path, "rb") as file:
            code = compile(file.read(), path, "exec", dont_inherit=True)
    space = vars(sys.modules["__main__"])
    for name in [n for n in space if n not in ("__name__", "__builtins__")]:
        del space[name]
    loader = importlib.machinery.SourceFileLoader("__main__", path)
    space.update(__file__=path, __cached__=None, __doc__=None, __loader__=loader, __package__=None, __spec__=None)
    exec(code, space)
