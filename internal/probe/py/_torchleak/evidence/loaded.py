"""Sorts the modules that Python has loaded: the user's, those of installed packages, all others."""

import sys

from _torchleak.evidence import kinds as k

_SKIPPED = frozenset(("torch", "numpy", "sitecustomize", "_torchleak", "torchleak"))
_TORCH_TABLES = frozenset(("torch.distributed.distributed_c10d",))  # where torch itself keeps what users make
_USER, _PACKAGE, _OTHER = range(3)


class Loaded:
    """Remembers over a request how each module was sorted: there are thousands."""

    def __init__(self, kinds, ctx):
        self._kinds = kinds
        self._ctx = ctx
        self._known = {}  # name -> (id of module, sort)

    def sorted(self):
        """(the user's, installed packages') modules as (name, module), `__main__` first."""
        users, packages = [], []
        for name, module in list(sys.modules.items()):
            if type(name) is not str:
                continue
            known = self._known.get(name)
            if known is None or known[0] != id(module):
                known = self._known[name] = (id(module), self._sort(name, module))
            if known[1] == _USER:
                users.append((name, module))
            elif known[1] == _PACKAGE:
                packages.append((name, module))
        users.sort(key=lambda entry: entry[0] != "__main__")
        return users, packages

    def iterators(self):
        """The ids of the user's classes whose objects are iterators, and of torch's over data loaders."""
        users, _ = self.sorted()
        loader = sys.modules.get("torch.utils.data.dataloader")
        modules = [module for _, module in users] + ([loader] if loader is not None else [])
        return frozenset(
            id(value) for module in modules for value in list((k.instance_dict(module) or {}).values())
            if self._kinds.of(value) == k.CLASS and any("__next__" in k.type_dict(base) for base in k.bases(value)))

    def _sort(self, name, module):
        if self._kinds.of(module) != k.MODULE:
            return _OTHER
        if name == "__main__":
            return _USER
        file = k.attribute(module, "__file__")
        if name in _TORCH_TABLES:
            return _PACKAGE
        if type(file) is not str or name.partition(".")[0] in _SKIPPED:
            return _OTHER
        if self._ctx.is_user_file(file):
            return _USER
        return _PACKAGE if "site-packages" in file or "dist-packages" in file else _OTHER
