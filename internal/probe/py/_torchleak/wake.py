"""Waits for the target to import torch. Until then the probe is one entry in sys.meta_path."""

import os
import sys

from _torchleak import guard


class Finder:
    """Lets every import pass; when a watched module has been executed, calls back."""

    def __init__(self):
        self.callbacks = {}
        self._searching = False

    def find_spec(self, name, path=None, target=None):
        """The spec the other finders have, with a loader that tells us when it is done."""
        if name not in self.callbacks or self._searching:
            return None
        self._searching = True
        try:
            spec = self._ask_others(name, path, target)
        finally:
            self._searching = False
        if spec is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = Loader(spec.loader, self.callbacks[name])
        return spec

    def _ask_others(self, name, path, target):
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                return spec
        return None


class Loader:
    """Stands in for a module's loader while the module is executed."""

    def __init__(self, loader, callback):
        self._loader = loader
        self._callback = callback

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        """As the loader we stand in for."""
        return self._loader.create_module(spec)

    def exec_module(self, module):
        """Executes the module with its own loader back in place, then calls back."""
        module.__loader__ = self._loader
        spec = getattr(module, "__spec__", None)
        if spec is not None:
            spec.loader = self._loader
        self._loader.exec_module(module)
        try:
            self._callback(module)
        except Exception as error:
            guard.caught(error)


finder = Finder()
run_dir = os.environ.get("TORCHLEAK_DIR", "")  # as it was at first: the target may change its environment


def start():
    """Begins to wait for torch, or installs at once where something has imported it already."""
    if finder in sys.meta_path:
        return
    _contact()
    finder.callbacks["torch"] = _install
    sys.meta_path.insert(0, finder)
    torch = sys.modules.get("torch")
    if torch is not None:
        guard.guarded(_install)(torch)


@guard.guarded
def _contact():
    """Leaves the sign by which torchleak tells a Python without torch from one without the probe."""
    path = os.path.join(run_dir, "contact")
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _install(torch):
    from _torchleak import probe

    probe.install(torch, run_dir)
