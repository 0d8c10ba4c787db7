"""Estimates the bytes behind an object from exact built-in types alone; nothing of the user's runs."""

import ctypes
import sys
from itertools import islice

from _torchleak.evidence import kinds as k

_WIDTH = 64
_C_DATA = ctypes.Structure.__mro__[1]  # of all that ctypes makes
_SEEN_THROUGH = memoryview.__dict__["obj"].__get__
_LARGE = 512  # bytes: malloc has these, and the heap shows them


class Sizes:
    """Sizes of objects. Storages, arrays and large texts are counted once for each instance of this class."""

    def __init__(self, kinds, reader):
        self._kinds = kinds
        self._reader = reader
        self._storages = set()
        self._array = k.ndarray()

    def of(self, obj, depth=4):
        """About how many bytes hang on the object."""
        kind = self._kinds.of(obj)
        if kind == k.TENSOR:
            storage, size = self._reader.storage(obj)
            if storage in self._storages:
                return 0
            self._storages.add(storage)
            return size
        tp = type(obj)
        if self._array is not None and k.derives(tp, self._array):
            return self._of_array(obj)
        if tp is memoryview:
            return self._of_view(obj)
        if k.derives(tp, _C_DATA):
            return ctypes.sizeof(obj)
        if kind == k.ATOM:
            return self._of_atom(obj) if k.type_module(tp) == "builtins" else 0
        if depth == 0:
            return 0
        items, count = self._inner(obj, kind)
        if not items:
            return 64
        inner = sum(self.of(item, depth - 1) + 8 for item in items)
        return 64 + inner * count // len(items)

    def _of_atom(self, atom):
        """A large one that stands in several places, as the text of a log's record does, is there once."""
        size = sys.getsizeof(atom)
        if size > _LARGE:
            if id(atom) in self._storages:
                return 0
            self._storages.add(id(atom))
        return size

    def _of_view(self, view):
        """A view keeps all of what it shows a part of."""
        try:
            whole = _SEEN_THROUGH(view)
        except ValueError:  # it was released
            return 64
        return self.of(whole, 1)

    def _of_array(self, array):
        """What the array keeps: a view keeps the whole array, or tensor, that it is a part of."""
        base = self._array.base.__get__(array)
        while base is not None and k.derives(type(base), self._array):
            array, base = base, self._array.base.__get__(base)
        if self._kinds.of(base) == k.TENSOR:
            return self.of(base)
        if id(array) in self._storages:
            return 0
        self._storages.add(id(array))
        return self._array.nbytes.__get__(array)

    def _inner(self, obj, kind):
        """(some of the elements, how many there are)."""
        if kind == k.LIST:
            return list.__getitem__(obj, slice(-_WIDTH, None)), list.__len__(obj)
        if kind == k.TUPLE:
            return list(tuple.__getitem__(obj, slice(-_WIDTH, None))), tuple.__len__(obj)
        if kind == k.DICT:
            return list(islice(reversed(dict.values(obj)), _WIDTH)), dict.__len__(obj)
        if kind in (k.INSTANCE, k.EXCEPTION):
            attributes = k.instance_dict(obj) or {}
            return list(islice(attributes.values(), _WIDTH)), len(attributes)
        return [], 0
