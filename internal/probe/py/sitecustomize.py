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
        if os.environ.get("TORCHLEAK_STOPS"):
            from _torchleak import stopped

            stopped.begin()
        if os.environ.get("TORCHLEAK_EXPERIMENT"):
            from _torchleak import experiment

            experiment.begin()
        if os.environ.get("TORCHLEAK_PROFILE"):
            from _torchleak import profile

            profile.begin()
    except Exception:  # the target comes first: without a probe it still runs
        pass


def _chain():
    """Runs the next sitecustomize in our place; what it raises is raised as without us.

    The next is one behind us: what is in front, another torchleak's among it, has had its turn.
    """
    if _chaining():
        return
    places = [os.path.normpath(p) for p in sys.path]
    rest = sys.path[places.index(_HERE) + 1 :] if _HERE in places else sys.path
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


def _chaining():
    """Whether we are run in place of one that we have run in our place: it chains without looking where."""
    frame = sys._getframe(2)
    while frame is not None:
        if (frame.f_code.co_filename, frame.f_code.co_name) == (_chain.__code__.co_filename, "_chain"):
            return True
        frame = frame.f_back
    return False


def _chain_python2(rest):
    import imp

    try:
        found = imp.find_module("sitecustomize", rest)
    except ImportError:
        return
    imp.load_module("sitecustomize", *found)


_start()
_chain()
