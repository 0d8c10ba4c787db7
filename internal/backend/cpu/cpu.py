"""The host's memory: the C heap, Python's own blocks, the pages of the process.

Nothing here may cost much: what turns out to be slow is read less often.
"""

import ctypes
import os
import sys
import time

from _torchleak import guard
from _torchleak.flight import NOTHING

NAME = "cpu"

_ABSENT = -(1 << 63)
_WRAP = 1 << 32

# Each kind of reading may take this much of the target's time altogether before it has to be seldom:
# most leaks are found by then. Later it may take 1/n of the time that passes.
_CREDIT_NS = 15000000
_SHARE = 1600
# Python's blocks tell first that a cache is full, and whether hooks stay: for a while they may take more.
_BLOCKS_SHARE, _BLOCKS_NS = 400, 30000000000
# A program that was attached to has a large heap and many open files already, slow to read, and somebody waits for the
# verdict: for ten minutes two hundredths of its time.
_LATE_CREDIT_NS, _LATE_SHARE, _LATE_NS = 300000000, 50, 600000000000
_DEAR_EARLY_NS, _DEAR_NS = 20000000, 250000000
_NEVER = 1 << 63


class _Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
        "fordblks", "keepcost")]


class _Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint) for name, _ in _Mallinfo2._fields_]


def available(torch):
    """The host is always there."""
    return True


def devices(torch):
    """One memory."""
    return [0]


def memory_name(index):
    """What the memory is called in records."""
    return "host"


class Gate:
    """Says whether a reading is due, from what it has cost so far: its walk over free lists and
    pools takes one microsecond in one process and milliseconds in another."""

    def __init__(self, early_ns=0, later_ns=0, possible=True, share=_SHARE):
        self._early, self._later, self._possible, self._share = early_ns, later_ns, possible, share
        self.restart()

    def restart(self):
        """Forgets what was learnt."""
        self.cost = 0
        self.due = 0 if self._possible else _NEVER
        self._credit, self._for = _CREDIT_NS, _BLOCKS_NS
        self._began = 0

    def closer(self):
        """Lets a reading cost more, for a while."""
        self._credit, self._share, self._for = _LATE_CREDIT_NS, _LATE_SHARE, _LATE_NS

    def spent(self, before, after):
        """Learns what a reading cost that ran from before to after."""
        cost, known = after - before, self.cost
        if known:
            # One that was interrupted for long says little about the next, a cheaper one says all: on a busy
            # machine a single slow reading must not use up the credit of the many behind it.
            cost = min(cost, 4 * known)
            self._credit -= cost
            if cost > known:
                cost = (3 * known + cost) // 4
        else:
            self._credit -= min(cost, _CREDIT_NS // 4)
        self.cost = cost
        self._began = self._began or before
        if self._credit <= 0:
            share = self._share if after - self._began < self._for else _SHARE
            self.due = after + max(self._later, cost * share)
        elif self._early:
            self.due = after + self._early


_pinned_of = None


def _unwrapped(read):
    """mallinfo counts in 32 bits; growth beyond is followed as long as a jump stays below 2 GiB."""
    last = [None, None]

    def follow(slot, value):
        before = last[slot]
        if before is not None:
            jump = (value - before) % _WRAP
            value = before + (jump - _WRAP if jump >= _WRAP // 2 else jump)
        last[slot] = value
        return value

    def heap():
        used, held, free = read()
        return follow(0, used), follow(1, held), free

    return heap


def _find_heap():
    """(function that returns used, held and free bytes of the C heap, or None; its name)."""
    if not sys.platform.startswith("linux"):
        return None, "none: no mallinfo on " + sys.platform
    # Functions of the C library called with the GIL held: they take a microsecond, giving the
    # GIL away could cost the target five milliseconds.
    library = ctypes.PyDLL(None)
    for symbol, allocator in (("mallctl", "jemalloc"), ("tc_malloc", "tcmalloc"), ("mi_malloc", "mimalloc")):
        if hasattr(library, symbol):
            return None, "none: the heap is " + allocator + "'s"
    for symbol, layout in (("mallinfo2", _Mallinfo2), ("mallinfo", _Mallinfo)):
        call = getattr(library, symbol, None)
        if call is None:
            continue
        call.restype, call.argtypes = layout, ()

        def read():
            info = call()
            mapped = info.hblkhd
            return info.uordblks + mapped, info.arena + mapped, info.fordblks

        return (read if symbol == "mallinfo2" else _unwrapped(read)), symbol
    return None, "none: this C library has no mallinfo"


_heap, heap_source = _find_heap()
_blocks = getattr(sys, "getallocatedblocks", None)
_heap_gate, _blocks_gate = Gate(possible=_heap is not None), Gate(possible=_blocks is not None, share=_BLOCKS_SHARE)
_dear_gate = Gate(_DEAR_EARLY_NS, _DEAR_NS)
_STATUS = b"VmRSS:", b"RssAnon:", b"RssShmem:", b"RssFile:"


def start(torch):
    """Called once the target has torch, and again in a forked child."""
    global _pinned_of
    for gate in (_heap_gate, _blocks_gate, _dear_gate):
        gate.restart()
    binding = getattr(getattr(torch, "_C", None), "_cuda_hostMemoryStats", None)
    _pinned_of = binding and (torch.cuda.is_initialized, binding)


def late():
    """The program had run for long when it was attached to."""
    for gate in (_heap_gate, _blocks_gate, _dear_gate):
        gate.closer()


def read(torch, index, clock=time.monotonic_ns):
    """The twelve figures of `host`, docs/format/flight.md; NOTHING where none is due."""
    now = begin = clock()
    used = held = blocks = free = _ABSENT
    dear = _NO_DEAR
    if now >= _heap_gate.due:
        used, held, free = _heap()
        then = clock()
        _heap_gate.spent(now, then)
        now = then
    if now >= _blocks_gate.due:
        blocks = _blocks()
        then = clock()
        _blocks_gate.spent(now, then)
        now = then
    if now >= _dear_gate.due:
        dear = _read_dear()
        then = clock()
        _dear_gate.spent(now, then)
        now = then
    return NOTHING if now == begin else (used, held, blocks) + dear + (free, _ABSENT)


def due(index):
    """The time of the monotonic clock before which nothing will be read."""
    return min(_heap_gate.due, _blocks_gate.due, _dear_gate.due)


_NO_DEAR = (_ABSENT,) * 7


def _read_dear():
    """rss, anonymous, shared, nameless shared segments, file pages, children, pinned bytes."""
    try:
        rss, anon, shm, file = _status()
    except OSError as error:
        guard.hand_on(error)
        return _NO_DEAR
    segments, unmapped = _nameless_segments()
    return rss, anon, shm + unmapped if shm != _ABSENT else shm, segments, file, _children(), _pinned()


def _slurp(path):
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(fd, 1 << 16)
    finally:
        os.close(fd)


def _whole(path):
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return b"".join(iter(lambda: os.read(fd, 1 << 16), b""))
    finally:
        os.close(fd)


def _status():
    text = _slurp("/proc/self/status")
    figures = []
    for key in _STATUS:
        at = text.find(key)
        figures.append(int(text[at + len(key) : text.index(b"kB", at)]) * 1024 if at >= 0 else _ABSENT)
    return figures


def _nameless_segments():
    """(open descriptors of shared memory that has no name any more: batches of loader workers, anonymous files of memory;
    bytes in such files that are not mapped, which no figure of the process's pages has)."""
    count, files = 0, {}
    for fd in os.listdir("/proc/self/fd"):
        path = "/proc/self/fd/" + fd
        try:
            target = os.readlink(path)
            if target.startswith("/memfd:"):
                status = os.stat(path)
                files[status.st_ino] = 512 * status.st_blocks
        except OSError as error:
            guard.hand_on(error)
            continue
        if target.startswith("/memfd:") or target.startswith("/dev/shm/") and target.endswith(" (deleted)"):
            count += 1
    return count, sum(files[inode] for inode in files.keys() - _mapped()) if files else 0


def _mapped():
    """The anonymous files of memory that are mapped."""
    try:
        return {int(line.split()[4]) for line in _whole("/proc/self/maps").splitlines() if b" /memfd:" in line}
    except OSError as error:
        guard.hand_on(error)
        return set()


def _children():
    try:
        return len(_slurp("/proc/self/task/%d/children" % os.getpid()).split())
    except OSError as error:
        guard.hand_on(error)
        return _ABSENT


def _pinned():
    """Bytes the pinned-memory allocator has given out, where torch tells (2.7 on)."""
    if _pinned_of is None:
        return _ABSENT
    initialised, stats = _pinned_of
    if not initialised():
        return _ABSENT
    try:
        return stats()["active_bytes"]["current"]
    except Exception as error:  # names differ between releases
        guard.hand_on(error)
        return _ABSENT


def level(torch, index):
    """Bytes in use at this moment; for short windows, whatever it costs."""
    return _heap()[0] if _heap is not None else _status()[1]


def limit(torch, index):
    """Bytes this process can have: the machine's memory or the tightest control group above it."""
    limits = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    try:
        groups = _slurp("/proc/self/cgroup").decode()
    except OSError as error:
        guard.hand_on(error)
        groups = ""
    for line in groups.splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers:
            limits += _climb("/sys/fs/cgroup", path, "memory.max")
        elif "memory" in controllers.split(","):
            limits += _climb("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes")
    return min(limits)


def limits_beside():
    """Bytes of the memories that the host's records tell of as well: what the shared memory's file system holds."""
    try:
        system = os.statvfs("/dev/shm")
    except OSError as error:
        guard.hand_on(error)
        return {}
    return {"shm": system.f_blocks * system.f_frsize}


def _climb(root, path, name):
    """The limits set on a control group and on those above it."""
    found = []
    while True:
        try:
            text = _slurp(root + path.rstrip("/") + "/" + name).strip()
            if text.isdigit() and int(text) > 0:
                found.append(int(text))
        except OSError as error:
            guard.hand_on(error)
        if path in ("/", ""):
            return found
        path = os.path.dirname(path)
