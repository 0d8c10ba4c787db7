"""The flight recorder's file, docs/format/flight.md. Knows bytes, not what they mean."""

import errno
import mmap
import os
import struct
import sys
import time
import zlib

from _torchleak.streams import streams_taken

ABSENT = -(1 << 63)
VALUES = 12
NOTHING = (ABSENT,) * VALUES

WATCHING, GATHERING, ENDED, OFF = 0, 1, 2, 3

_HEADER, _RECORD, CAPACITY = 4096, 128, 16384
_MAX_MEMORIES = 30
_TABLE, _NAME = 256, 64

# Places in the header, as indexes of u64 and u32 words.
_WRITTEN, STEPS, _PROBE_NS, _EVIDENCE_NS = 4, 8, 9, 10
_MEMORIES, _CLOCK, _STATE, _ERRORS, _DONE, REQUEST = 7, 14, 15, 22, 23, 32

# Takes the page faults now and not in the target's steps. Python names it from 3.10 on.
_POPULATE = 0x8000 if sys.platform.startswith("linux") else 0

_PACK = struct.Struct("<QQQHBBI12q").pack_into
_PACK_HEAD = struct.Struct("<QQQHBBI").pack_into
_PACK_CRC = struct.Struct("<I").pack_into


class Flight:
    """One mapped file. Single words are stored through native views, `words` and `longs`: one store each."""

    def __init__(self, path, pid, start_wall_ns, capacity=CAPACITY):
        if sys.byteorder != "little":
            raise OSError("the flight recorder needs a little-endian machine")
        size = _HEADER + capacity * _RECORD
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            _reserve(fd, size)
            with streams_taken():  # the map keeps a descriptor of its own
                self._map = mmap.mmap(fd, size, mmap.MAP_SHARED | _POPULATE, mmap.PROT_READ | mmap.PROT_WRITE)
            self._prepare(pid, start_wall_ns, capacity)
        except BaseException:
            os.unlink(path)
            raise
        finally:
            os.close(fd)

    def _prepare(self, pid, start_wall_ns, capacity):
        view = memoryview(self._map)
        self._ring = view[_HEADER:]
        self.words = view[:_HEADER].cast("I")
        self.longs = view[:_HEADER].cast("Q")
        self._buffer = bytearray(_RECORD)
        whole = memoryview(self._buffer)
        self._before_crc, self._after_crc = whole[:28], whole[32:]
        self._capacity = capacity
        self._number = 0
        self._blank = False  # the buffer's values are NOTHING's already
        self._clock = self._errors = 0
        self.names = []
        # The magic comes last: a reader that sees it sees a whole header.
        struct.pack_into("<IIIII", self._map, 8, 1, _HEADER, _RECORD, capacity, pid)
        struct.pack_into("<QQ", self._map, 40, start_wall_ns, time.monotonic_ns())
        self._map[0:8] = b"TLKFLT01"

    def add_memory(self, name):
        """The index of a memory in the table, entered now; None when the table is full."""
        if len(self.names) == _MAX_MEMORIES:
            return None
        index = len(self.names)
        at = _TABLE + index * _NAME
        data = name.encode("utf-8")[: _NAME - 1]
        self._map[at : at + len(data)] = data
        self.names.append(name)
        self.words[_MEMORIES] = index + 1
        return index

    def write(self, step, mono_ns, memory, clock, flags, values):
        """Appends one record, overwriting the oldest."""
        number = self._number + 1
        buffer = self._buffer
        if values is NOTHING and self._blank:
            _PACK_HEAD(buffer, 0, number, step, mono_ns, memory, clock, flags, 0)
        else:
            _PACK(buffer, 0, number, step, mono_ns, memory, clock, flags, 0, *values)
            self._blank = values is NOTHING
        crc32 = zlib.crc32
        _PACK_CRC(buffer, 28, crc32(self._after_crc, crc32(self._before_crc)))
        at = (self._number % self._capacity) * _RECORD
        self._ring[at : at + _RECORD] = buffer
        self.longs[_WRITTEN] = number
        self._number = number

    def progress(self, steps, clock, probe_ns, errors):
        """Stores the figures that change with every step; the number of the newest request."""
        longs = self.longs
        longs[STEPS] = steps
        longs[_PROBE_NS] = probe_ns
        if clock != self._clock:
            self.words[_CLOCK] = self._clock = clock
        if errors != self._errors:
            self.words[_ERRORS] = self._errors = errors
        return self.words[REQUEST]

    def state(self, state):
        """Stores what the recorder is doing."""
        self.words[_STATE] = state

    def request(self):
        """The newest request: (number, memory's name, period, budget in ms). There is one kind."""
        number, _, memory, period, budget = self.words[REQUEST : REQUEST + 5]
        name = self.names[memory] if memory < len(self.names) else ""
        return number, name, period, budget

    def answered(self, number, evidence_ns):
        """Stores that a request was worked off, and the time evidence has cost so far."""
        self.longs[_EVIDENCE_NS] = evidence_ns
        self.words[_DONE] = number


def _reserve(fd, size):
    """Makes sure the disk has room: a store into a mapped hole would kill the target."""
    allocate = getattr(os, "posix_fallocate", None)
    if allocate is not None:
        try:
            return allocate(fd, 0, size)
        except OSError as error:
            if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):
                raise
    blank = bytes(1 << 16)
    left = size
    while left > 0:
        left -= os.write(fd, blank[:left])
