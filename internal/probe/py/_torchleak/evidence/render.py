"""Puts a path into words a person can read, and says where the holder's name stands in the source."""

import sys
from types import FrameType, FunctionType

from _torchleak.evidence import kinds as k
from _torchleak.evidence import locals as names
from _torchleak.evidence import paths as p


class Words:
    """What is said of one path."""

    def __init__(self):
        self.text = ""
        self.root = ""
        self.through = ""
        self.hook = None
        self.exception = False
        self.scope = _scope("unknown", "")


def _scope(kind, name, module="", file="", function="", cls="", line=0):
    return {"kind": kind, "name": str(name), "module": module, "file": file, "function": function,
            "class": cls, "line": line}


class Renderer:
    """Renders paths of one search: it needs the objects on the way."""

    def __init__(self, paths, objects, files):
        self._paths = paths
        self._objects = objects
        self._files = files

    def words(self, path):
        """The Words for a path."""
        words, module_text, table = Words(), "", ""
        for at in self._paths.chain(path):
            parent, edge, name = self._paths.step(at)
            owner = self._objects.get(parent)
            if edge == p.TABLE:
                module_text, table = words.text, name
                words.text += "." + name
            elif edge == p.HOOK:
                self._hook(words, self._objects.get(at), owner_of=self._objects.get(self._paths.parent(parent)),
                           module_text=module_text, table=table)
            else:
                self._edge(words, at, owner)
        return words

    def _edge(self, words, at, owner):
        _, edge, name = self._paths.step(at)
        if edge == p.MODULE:
            words.text, words.root = name, "module"
            words.scope = _scope("global", "", name)
        elif edge == p.GLOBAL:
            module = words.text
            words.text += "." + name
            words.scope = _scope("global", name, module, self._module_file(owner))
        elif edge == p.FRAME:
            words.text, words.root = name + "()", "frame"
        elif edge == p.LOOP and type(self._objects.get(at)) is FrameType:
            words.text, words.root = "generator %s()" % name, "frame"
        elif edge == p.LOOP:
            words.text, words.root = "iterator " + name, "frame"
        elif edge == p.OPTIMIZER_ROOT:
            words.text, words.root = "optimizer", "optimizer"
        elif edge == p.TORCH_HOOKS:
            words.text, words.root = "torch", "module"
        elif edge == p.LOCAL:
            separator = ", local " if words.exception else " local "
            words.text += separator + name
            words.scope = self._code_scope("local", name, owner)
        elif edge == p.ATTRIBUTE:
            digits = name.isdigit()
            words.text += "[%s]" % name if digits else "." + name
            words.scope = self._attribute_scope(name, owner)
        elif edge == p.KEY:
            words.text += "[%s]" % (_short(name) if type(name) is str and name != "…" else name)
        elif edge == p.INDEX:
            words.text += "[%s]" % name
        elif edge == p.CLOSURE:
            hook = "hook " if words.through else ""
            on = words.through.partition(" registered on ")[2] if hook else ""
            words.text = "closure %s of %s%s" % (name, hook, _function_name(owner)) + (
                " registered on " + on if on else "")
            words.scope = self._code_scope("closure", name, owner)
        elif edge == p.DEFAULT:
            words.text = "default argument %s of %s()" % (name, _function_name(owner))
            words.scope = self._code_scope("default", name, owner)
        elif edge == p.CLASS_ATTRIBUTE:
            words.text = "class attribute %s.%s" % (k.type_qualname(owner) if owner is not None else "?", name)
            words.scope = self.class_scope("class", name, owner)
        elif edge == p.TRACEBACK:
            words.text = "locals of frame %s() held by a stored exception in %s" % (name, words.text)
            words.exception = True
        elif edge == p.GENERATOR:
            words.text = "generator %s() in %s," % (name, words.text)
        elif edge == p.OTHER and name not in ("class", "key"):
            words.text += "[…]" if not words.text.endswith("[…]") else ""

    def _hook(self, words, hook, owner_of, module_text, table):
        function = _innermost(hook)
        code = getattr(function, "__code__", None)
        name = _function_name(function)
        words.through = "hook %s registered on %s" % (name, module_text)
        words.text = "hook %s registered on %s" % (name, module_text)
        words.hook = {
            "table": table, "module": module_text,
            "module_type": k.type_name(type(owner_of)) if owner_of is not None else "",
            "function": name, "file": self._files.absolute(code.co_filename) if code else "",
            "line": code.co_firstlineno if code else 0,
        }

    def _module_file(self, module):
        file = (k.namespace(module) or {}).get("__file__") if module is not None else None
        return self._files.absolute(file) if type(file) is str else ""

    def _code_scope(self, kind, name, owner):
        code = getattr(owner, "f_code", None) or getattr(owner, "__code__", None)
        if code is None:
            return _scope(kind, name)
        function = owner.__qualname__ if type(owner) is FunctionType else names.qualified_name(code)
        return _scope(kind, name, "", self._files.absolute(code.co_filename), function, "", code.co_firstlineno)

    def _attribute_scope(self, name, owner):
        if type(owner) is FunctionType:
            code = owner.__code__
            return _scope("attribute", name, "", self._files.absolute(code.co_filename),
                          names.qualified_name(code), "", code.co_firstlineno)
        return self.class_scope("attribute", name, type(owner) if owner is not None else None)

    def class_scope(self, kind, name, cls):
        """The scope of an attribute of a class."""
        if cls is None:
            return _scope(kind, name)
        file, line = _class_place(cls)
        return _scope(kind, name, k.type_module(cls), self._files.absolute(file) if file else "", "",
                      k.type_qualname(cls), line)


def _class_place(cls):
    """(file, line) where a class is defined, as near as its methods tell."""
    entries = k.type_dict(cls)
    codes = []
    for value in list(entries.values()):
        if type(value) is staticmethod or type(value) is classmethod:
            value = value.__func__
        elif type(value) is property:
            value = value.fget
        if type(value) is FunctionType:
            codes.append(value.__code__)
    module = sys.modules.get(k.type_module(cls))
    own = k.attribute(module, "__file__")
    mine = [code for code in codes if code.co_filename == own] or codes
    file = mine[0].co_filename if mine else own if type(own) is str else ""
    line = entries.get("__firstlineno__")
    if type(line) is not int:
        line = min((code.co_firstlineno for code in mine), default=0)
    return file, line


def _innermost(function):
    """The plain function behind bound methods and partial objects."""
    for _ in range(8):
        inner = None
        if k.type_module(type(function)) in ("builtins", "functools"):
            for name in ("__func__", "func", "__wrapped__"):
                inner = getattr(function, name, None)
                if inner is not None:
                    break
        if inner is None:
            break
        function = inner
    return function


def _function_name(function):
    code = getattr(function, "__code__", None) if type(function) is FunctionType else None
    if code is not None:
        return function.__name__
    return k.type_name(type(function)) if function is not None else "?"


def _short(text):
    text = text if len(text) <= 40 else text[:39] + "…"
    return repr(text)
