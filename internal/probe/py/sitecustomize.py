"""Starts the torchleak probe, then runs the sitecustomize this one stands in front of.

Also loaded by Pythons that the probe does not support, down to 2.7: they only chain.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _start():
    if sys.version_info < (3, 8) or not os.environ.get("TORCHLEAK_DIR"):
        return
    try:
        from _torchleak import wake

        wake.start()
    except Exception:  # the target comes first: without a probe it still runs
        pass


def _chain():
    """Runs the next sitecustomize in our place; what it raises is raised as without us."""
    rest = [p for p in sys.path if os.path.abspath(p or os.curdir) != _HERE]
    try:
        from importlib.machinery import PathFinder
        from importlib.util import module_from_spec
    except ImportError:
        return _chain_python2(rest)
    spec = PathFinder.find_spec("sitecustomize", rest)
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


def _chain_python2(rest):
    import imp

    try:
        found = imp.find_module("sitecustomize", rest)
    except ImportError:
        return
    imp.load_module("sitecustomize", *found)


_start()
_chain()
