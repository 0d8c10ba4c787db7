"""Values of one piece that grow as a whole: strings, bytes and arrays that are made longer in every step."""

import sys

from _torchleak import guard
from _torchleak.evidence import kinds as k

LEAST = 4096  # bytes below which a value is of no interest
_PART = 256   # so much of each end is compared


class Flat:
    """One such value, at one census. Only figures are kept, never the value."""

    __slots__ = ("type_name", "bytes", "ends")

    def __init__(self, value, size, ends):
        self.type_name = k.type_name(type(value))
        self.bytes = size
        self.ends = ends

    def continues(self, other):
        """Whether this is the other value made longer: it begins or ends alike. A name that is given another text each
        time, now a longer and now a shorter one, is no growth; and another may come to lie where the last one lay."""
        return self.type_name == other.type_name and any(a is not None and a == b for a, b in zip(self.ends, other.ends))


class Flats:
    """Reads such values without running any code of the user's: only exact types of C are looked at."""

    def __init__(self):
        self._ndarray = k.ndarray()
        known = (str, bytes, bytearray) + ((self._ndarray,) if self._ndarray is not None else ())
        self.types = frozenset(map(id, known))

    def size(self, value):
        """How many bytes the value takes itself; 0 for a part of something else."""
        if type(value) is self._ndarray:
            return self._ndarray.nbytes.__get__(value) if self._ndarray.base.__get__(value) is None else 0
        return sys.getsizeof(value) if type(value) is str else len(value)  # a bytearray has room to spare

    def read(self, value):
        """The Flat of a value, None where it is too small."""
        size = self.size(value)
        return Flat(value, size, _ends(value)) if size >= LEAST else None


def _ends(value):
    """What tells both ends of a value, None where they cannot be read."""
    if type(value) is str:
        return hash(value[:_PART]), hash(value[-_PART:])
    try:
        with memoryview(value) as view:
            with view.cast("B") as flat:
                return hash(bytes(flat[:_PART])), hash(bytes(flat[-_PART:]))
    except (BufferError, TypeError, ValueError) as error:
        guard.hand_on(error)
        return None, None  # not in one piece, or of objects


def grown(snapshots, least):
    """path -> the Flat of each snapshot, of those that were made longer in every window by so many bytes or more."""
    found = {}
    for path in snapshots[-1].flats:
        row = [snapshot.flats.get(path) for snapshot in snapshots]
        if any(flat is None for flat in row):
            continue
        if all(a.bytes + least <= b.bytes and b.continues(a) for a, b in zip(row, row[1:])):
            found[path] = row
    return found
