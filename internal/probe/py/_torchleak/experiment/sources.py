"""Puts other code in the place of what source files hold, wherever the interpreter reads one."""

import ast
import importlib.machinery
import io
import os
import runpy

from _torchleak import frames, guard


class Sources:
    """Knows which files run as something else. replaced: the file to read instead, by the real path of the user's;
    switches rewrites the user's own files, None leaves them."""

    def __init__(self, replaced, switches, run_dir):
        self._replaced = replaced
        self._run_dir = run_dir
        self._switches = switches
        self._files = frames.Files(os.getcwd())

    def concerns(self, path):
        """Whether the file runs as something else."""
        if os.path.realpath(path) in self._replaced:
            return True
        return self._switches is not None and self._files.kind(os.path.abspath(path)) == frames.USER

    def code(self, path):
        """The code that runs for a file; None where the file itself does, also where it does not parse."""
        if not self.concerns(path):
            return None
        instead = self._replaced.get(os.path.realpath(path))
        try:
            with io.open_code(os.path.abspath(instead or path)) as file:
                source = file.read()
            tree = compile(source, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
            if self._switches is not None:
                tree = self._switches.rewrite(tree, path)
            code = compile(tree, path, "exec", dont_inherit=True)
            if instead:
                self._list("replaced", os.path.realpath(path))
            return code
        except Exception as error:
            if instead:
                self._list("refused", "%s: %s" % (os.path.basename(path), error))
            guard.caught(error)
            return None

    @guard.guarded
    def _list(self, what, line):
        """Says which file ran as something else, or why it did not."""
        with open(os.path.join(self._run_dir, "%d.%s" % (os.getpid(), what)), "a", encoding="utf-8") as file:
            file.write(line.replace("\n", " ") + "\n")

    def apply(self):
        """Takes the place of the loader of source files, and of what reads a script by its path."""
        load, read = importlib.machinery.SourceFileLoader.get_code, runpy._get_code_from_file
        named = read.__code__.co_argcount == 2  # before 3.12 the result has the file's name too

        def get_code(loader, fullname):
            code = self.code(loader.get_filename(fullname))
            return load(loader, fullname) if code is None else code

        def from_file(*args):
            code = self.code(args[-1])
            if code is None:
                return read(*args)
            return (code, args[-1]) if named else code

        importlib.machinery.SourceFileLoader.get_code = get_code
        runpy._get_code_from_file = from_file
