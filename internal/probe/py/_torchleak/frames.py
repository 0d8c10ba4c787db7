"""Tells the user's own files from everybody else's, and reads stacks in those terms."""

import os
import sys

from _torchleak import guard

_PACKAGES = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)

USER, PACKAGE, SYSTEM = 0, 1, 2


def _with_real(path):
    """The folder as written and with links resolved, each ending in a separator."""
    if not path:
        return ()
    found = {os.path.abspath(path), os.path.realpath(path)}
    return tuple(p.rstrip(os.sep) + os.sep for p in found)


class Files:
    """Sorts file names of code objects: the user's, installed packages', the system's.

    System means the standard library, torch, generated code and this probe. The current
    folder is the one the target started in: a later chdir must not change the answer.
    """

    def __init__(self, cwd, torch_dir=""):
        self.cwd = cwd
        self._system = (
            _with_real(os.path.dirname(os.__file__)) + _with_real(torch_dir)
            + _with_real(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        )
        self._known = {}

    def absolute(self, filename):
        """The file's absolute path; Python before 3.9 has relative ones."""
        if filename.startswith("<"):
            return filename
        return os.path.normpath(os.path.join(self.cwd, filename))

    def kind(self, filename):
        """USER, PACKAGE or SYSTEM."""
        known = self._known.get(filename)
        if known is None:
            known = self._known[filename] = self._sort(filename)
        return known

    def _sort(self, filename):
        if filename.startswith("<"):
            return USER if _typed_in(filename) else SYSTEM
        if guard.OWN in filename:
            return SYSTEM
        path = self.absolute(filename)
        inside = self.cwd.rstrip(os.sep) + os.sep
        local = path.startswith(inside)
        # What lies above the current folder is no reason against a script in it.
        tail = os.sep + path[len(inside):] if local else path
        for folder in self._system:
            if path.startswith(folder) and not (local and inside.startswith(folder)):
                if any(p in path[len(folder) - 1:] for p in _PACKAGES):
                    continue  # site-packages lies inside the standard library's folder
                return SYSTEM
        if any(p in tail for p in _PACKAGES):
            return PACKAGE
        return USER


def _typed_in(filename):
    """Whether generated-looking code is the user's: python -c, a prompt, a notebook."""
    if filename.startswith("<ipython-input") or filename == "<stdin>":
        return True
    if filename == "<string>":
        main = sys.modules.get("__main__")
        return main is not None and "__file__" not in vars(main)
    return False


def outwards(frame):
    """(frame, its line) of a frame and all that it was called from, innermost first."""
    while frame is not None:
        yield frame, frame.f_lineno or 0
        frame = frame.f_back


def user_frames(files, stack, limit):
    """The user's frames of a stack as outwards() gives it, at most limit.

    Without any, those of installed packages; torch and the standard library never.
    """
    users, packages = [], []
    for frame, line in stack:
        if len(users) == limit:
            break
        kind = files.kind(frame.f_code.co_filename)
        if kind == USER:
            users.append(describe(files, frame, line))
        elif kind == PACKAGE and len(packages) < limit:
            packages.append(describe(files, frame, line))
    return users or packages


def describe(files, frame, line):
    """A frame as it stands in a file."""
    return {"file": files.absolute(frame.f_code.co_filename), "line": line, "function": frame.f_code.co_name}
