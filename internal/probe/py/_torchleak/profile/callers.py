"""Where operators are called from: the frames of the user's and of installed packages, and the module."""

import functools
import sys
import threading

from _torchleak import frames
from _torchleak.evidence import kinds as k
from _torchleak.evidence import tables
from _torchleak.profile.columns import Numbering
from _torchleak.tap import Tap

_DEEPEST = 64
_COMPILED = "_orig_mod"  # what torch.compile wraps is shown as if it were not


class Callers:
    """Stacks of frames, innermost first, without those of torch and the standard library."""

    def __init__(self, files):
        self._files = files
        self._codes = {}   # id of code -> (code, whether its frames are kept)
        self._frames = Numbering()
        self._stacks = Numbering()

    def stack(self, frame):
        """The number of the stack that ends in this frame, -1 where none of it is kept."""
        key = []
        while frame is not None and len(key) < 2 * _DEEPEST:
            code = frame.f_code
            known = self._codes.get(id(code))
            if known is None:
                known = self._codes[id(code)] = (code, self._files.kind(code.co_filename) != frames.SYSTEM)
            if known[1]:
                key.append(id(code))
                key.append(frame.f_lineno or 0)
            frame = frame.f_back
        return self._stacks.of(tuple(key), self._numbers) if key else -1

    def _numbers(self, key):
        return [self._frames.of(pair, self._describe) for pair in zip(key[::2], key[1::2])]

    def _describe(self, pair):
        code = self._codes[pair[0]][0]
        user = self._files.kind(code.co_filename) == frames.USER
        return [self._files.absolute(code.co_filename), pair[1], code.co_name, int(user)]

    def plain(self):
        """{"frames": [[file, line, function, whether it is the user's]], "stacks": [[number of frame]]}."""
        return {"frames": self._frames.values, "stacks": self._stacks.values}


class Modules:
    """The module whose forward runs, by its path from the outermost one."""

    def __init__(self, kinds):
        self._kinds = kinds
        self._module = sys.modules["torch.nn.modules.module"].Module
        self._tap = Tap(self._module, "__call__", self._called)
        self._open = {}   # thread -> numbers of modules that run, the innermost last
        self._paths = {}  # id of module -> (module, path)
        self._numbers = Numbering()

    def name(self, modules):
        """Learns the paths of these modules: the class of the outermost, then attributes."""
        for module in tables.outermost(modules, self._kinds):
            self._name(module, k.type_name(type(module)), 0)

    def _name(self, module, path, depth):
        if id(module) in self._paths or depth > _DEEPEST:
            return
        self._paths[id(module)] = (module, path)
        for name, child in tables.children(module, self._kinds):
            inner = "%s.%s" % (path, name)
            if name == _COMPILED:
                inner = path if "." in path else k.type_name(type(child))
            self._name(child, inner, depth + 1)

    def path(self, module):
        """The path of a module, its class where it is new."""
        known = self._paths.get(id(module))
        return known[1] if known is not None else k.type_name(type(module))

    def begin(self):
        """Listens to calls."""
        self._tap.apply()

    def end(self):
        """Puts torch's own back and lets go of the modules."""
        self._tap.remove()
        self._open, self._paths = {}, {}

    def current(self):
        """The number of the innermost module that runs in this thread, -1 outside of all."""
        stack = self._open.get(threading.get_ident())
        return stack[-1] if stack else -1

    def _called(self, module, _):
        stack = self._open.setdefault(threading.get_ident(), [])
        depth = len(stack)
        stack.append(self._numbers.of(self.path(module), str))
        return functools.partial(_cut, stack, depth)

    def plain(self):
        """The paths by number."""
        return self._numbers.values


def _cut(stack, depth):
    del stack[depth:]
