"""Replaces a function of torch's, and puts the original back."""

import functools

# Python's warnings pass over frames of such a file when they count levels, and we are none of the target's.
_UNSEEN = "<torchleak, seen as importlib._bootstrap>"


class Patch:
    """One function, replaced by make(original) while applied."""

    def __init__(self, owner, name, make):
        self._owner = owner
        self._name = name
        self._make = make
        self._original = None
        self._ours = None

    @property
    def applied(self):
        """Whether ours stands in the original's place."""
        return self._ours is not None

    def apply(self):
        """Puts ours in place, once."""
        if self._ours is not None:
            return
        original = vars(self._owner)[self._name]
        ours = self._make(original)
        ours.__code__ = ours.__code__.replace(co_filename=_UNSEEN)
        ours = functools.wraps(original)(ours)
        self._original, self._ours = original, ours
        setattr(self._owner, self._name, ours)

    def remove(self):
        """Puts the original back, unless somebody has replaced ours in turn."""
        if self._ours is not None and vars(self._owner).get(self._name) is self._ours:
            setattr(self._owner, self._name, self._original)
        self._original = self._ours = None
