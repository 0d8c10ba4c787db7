"""The kinds of memory: one module each, put here from the backends' own folders."""

import importlib
import os

from _torchleak import guard


class Backend:
    """A backend's module, bound to the target's torch."""

    def __init__(self, module, torch):
        self._module = module
        self._torch = torch
        self.name = module.NAME
        self.heap_source = module.heap_source
        self.read = module.read
        # When a memory will be read next at the earliest; readers that do not tell are asked in every step.
        self.due = getattr(module, "due", lambda index: 0)
        self.late = getattr(module, "late", lambda: None)  # called where the program was attached to
        module.start(torch)

    def restart(self):
        """Forgets what belongs to the process this one was forked from."""
        self._module.start(self._torch)

    def devices(self):
        """Indexes of the memories that this process uses by now."""
        return self._module.devices(self._torch)

    def memory_name(self, index):
        """What a memory is called in records."""
        return self._module.memory_name(index)

    def level(self, index):
        """Bytes in use in a memory at this moment."""
        return self._module.level(self._torch, index)

    def limits(self):
        """Bytes each memory in use can have, where known."""
        limits = getattr(self._module, "limits_beside", dict)()
        for index in self.devices():
            limit = self._module.limit(self._torch, index)
            if limit:
                limits[self.memory_name(index)] = limit
        return limits


def load(torch):
    """The backends this torch was built for; the host's comes first."""
    here = __path__[0]
    names = sorted(f[:-3] for f in os.listdir(here) if f.endswith(".py") and f != "__init__.py")
    names.sort(key=lambda name: name != "cpu")
    found = []
    for name in names:
        try:
            module = importlib.import_module("_torchleak.backends." + name)
            if module.available(torch):
                found.append(Backend(module, torch))
        except Exception as error:
            guard.caught(error)
    return found
