"""CUDA devices, and ROCm's, which answer the same calls.

Never the first to touch a device: nothing is read before the target has initialised CUDA,
and only devices are read in which this process has allocated.
"""

import os
import time

from _torchleak import guard
from _torchleak.flight import NOTHING

NAME = "cuda"

heap_source = ""

_ABSENT = -(1 << 63)
_DRIVER_NS, _SCAN_NS = 250000000, 1000000000
_SCANS_AT_ONCE = 16

# The allocator's figures come as a dict of a hundred numbers, tens of microseconds in a real loop and more
# in a large one. What leaks reaches new heights: after so many readings without one they may take 1/n of
# the time that passes, until one is higher than those of the last hundreds. Then every step is read again.
_STILL, _SHARE, _LONGEST_NS, _HUNDREDS = 32, 400, 100000000, 256

_stats = None
_devices = []
_scans, _next_scan = 0, 0
_driver_due = {}
_peaks = {}
_paces = {}


def available(torch):
    """Whether this torch was built for CUDA or ROCm at all."""
    return hasattr(torch._C, "_cuda_memoryStats")


def start(torch):
    """Called once the target has torch, and again in a forked child."""
    global _stats, _devices, _scans, _next_scan
    _stats = torch._C._cuda_memoryStats
    _devices, _scans, _next_scan = [], 0, 0
    for known in (_driver_due, _peaks, _paces):
        known.clear()


def memory_name(index):
    """What the memory is called in records."""
    return "cuda:%d" % index


def devices(torch):
    """Indexes of the devices in which this process has allocated. Looks seldom."""
    global _devices, _scans, _next_scan
    now = time.perf_counter_ns()
    if now < _next_scan and _scans >= _SCANS_AT_ONCE:
        return _devices
    _scans += 1
    _next_scan = now + _SCAN_NS
    if torch.cuda.is_initialized():
        _devices = [i for i in range(torch.cuda.device_count()) if i in _devices or _used(i)]
    return _devices


def _used(index):
    try:
        return _stats(index)["reserved_bytes"]["all"]["peak"] > 0
    except Exception as error:  # an allocator without statistics: the driver's figures are all there is
        guard.hand_on(error)
        return index == 0


def read(torch, index, clock=time.monotonic_ns):
    """The twelve figures of a device, docs/format/flight.md."""
    pace = _paces.get(index)
    if pace is None:
        pace = _paces[index] = _Pace()
    begin = clock()
    if begin < pace.due:
        return NOTHING
    used, total = _driver(torch, index)
    try:
        stats = _stats(index)
        allocated = stats["allocated_bytes"]["all"]
        requested = stats.get("requested_bytes")
        pace.read(allocated["current"], begin, clock())
        peak = allocated["peak"]
        risen = peak != _peaks.get(index)
        _peaks[index] = peak
        return (
            allocated["current"],
            stats["reserved_bytes"]["all"]["current"],
            stats["active_bytes"]["all"]["current"],
            requested["all"]["current"] if requested else _ABSENT,
            stats["inactive_split_bytes"]["all"]["current"],
            used,
            total,
            stats["num_alloc_retries"],
            stats["num_ooms"],
            stats["segment"]["all"]["current"],
            # Without a reset the peak is this step's only where it has moved.
            peak if risen else _ABSENT,
            stats["allocation"]["all"]["current"],
        )
    except Exception as error:
        guard.hand_on(error)
        return (_ABSENT,) * 5 + (used, total) + (_ABSENT,) * 5


def due(index):
    """The time of the monotonic clock before which the device will not be read."""
    pace = _paces.get(index)
    return 0 if pace is None else pace.due


class _Pace:
    """How densely a device is read: every step while it reaches new heights, seldom while it does not."""

    __slots__ = ("due", "_top", "_before", "_count", "_still")

    def __init__(self):
        self._top = self._before = -1  # of the readings since the last so many hundreds, and of those
        self._count = self._still = self.due = 0

    def read(self, allocated, before, after):
        """Learns from a reading that ran from before to after."""
        self._still = 0 if allocated > self._top and allocated > self._before else self._still + 1
        self.due = after + min(_SHARE * (after - before), _LONGEST_NS) if self._still >= _STILL else 0
        self._top = max(self._top, allocated)
        self._count += 1
        if self._count == _HUNDREDS:
            self._top, self._before, self._count = -1, self._top, 0


def _driver(torch, index):
    """(bytes in use on the whole device, its size), or absent in between two readings."""
    now = time.perf_counter_ns()
    if now < _driver_due.get(index, 0):
        return _ABSENT, _ABSENT
    _driver_due[index] = now + _DRIVER_NS
    try:
        if torch.cuda.is_current_stream_capturing():
            return _ABSENT, _ABSENT
        free, total = torch.cuda.mem_get_info(index)
    except Exception as error:
        guard.hand_on(error)
        return _ABSENT, _ABSENT
    return total - free, total


def level(torch, index):
    """Bytes allocated at this moment."""
    return _stats(index)["allocated_bytes"]["all"]["current"]


def limit(torch, index):
    """Bytes the allocator may take: the device's size, or the fraction of it that was set."""
    try:
        total = torch.cuda.get_device_properties(index).total_memory
    except Exception as error:
        guard.hand_on(error)
        return None
    return int(total * _fraction(torch, index))


def _fraction(torch, index):
    get = getattr(torch.cuda, "get_per_process_memory_fraction", None)
    if get is not None:
        try:
            return get(index)
        except Exception as error:
            guard.hand_on(error)
    for variable in ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"):
        for pair in os.environ.get(variable, "").split(","):
            key, _, value = pair.partition(":")
            if key.strip() == "per_process_memory_fraction":
                try:
                    return float(value)
                except ValueError as error:
                    guard.hand_on(error)
    return 1.0
