"""Intel GPUs through torch.xpu, whose calls follow torch.cuda's. Not run on hardware yet."""

import time

from _torchleak import guard

NAME = "xpu"

heap_source = ""

_ABSENT = -(1 << 63)
_DRIVER_NS, _SCAN_NS = 250000000, 1000000000

_devices = []
_next_scan = 0
_driver_due = {}


def available(torch):
    """Whether this torch was built for XPU and says what its allocator holds."""
    return hasattr(torch._C, "_xpu_memoryStats")


def start(torch):
    """Called once the target has torch, and again in a forked child."""
    global _devices, _next_scan
    _devices, _next_scan = [], 0
    _driver_due.clear()


def memory_name(index):
    """What the memory is called in records."""
    return "xpu:%d" % index


def devices(torch):
    """Indexes of the devices in which this process has allocated. Looks seldom."""
    global _devices, _next_scan
    now = time.perf_counter_ns()
    if now < _next_scan and _devices:
        return _devices
    _next_scan = now + _SCAN_NS
    if torch.xpu.is_initialized():
        _devices = [i for i in range(torch.xpu.device_count()) if _used(torch, i)]
    return _devices


def _used(torch, index):
    try:
        return torch._C._xpu_memoryStats(index)["reserved_bytes"]["all"]["peak"] > 0
    except Exception as error:
        guard.hand_on(error)
        return False


def read(torch, index):
    """The twelve figures of a device, docs/format/flight.md."""
    used, total = _driver(torch, index)
    try:
        stats = torch._C._xpu_memoryStats(index)
    except Exception as error:
        guard.hand_on(error)
        stats = {}

    def current(key):
        try:
            return stats[key]["all"]["current"]
        except (KeyError, TypeError) as error:
            guard.hand_on(error)
            return _ABSENT

    return (
        current("allocated_bytes"), current("reserved_bytes"), current("active_bytes"),
        current("requested_bytes"), _ABSENT, used, total, _ABSENT, _ABSENT,
        current("segment"), _ABSENT, current("allocation"),
    )


def _driver(torch, index):
    now = time.perf_counter_ns()
    if now < _driver_due.get(index, 0):
        return _ABSENT, _ABSENT
    _driver_due[index] = now + _DRIVER_NS
    try:
        free, total = torch.xpu.mem_get_info(index)
    except Exception as error:  # not every driver tells
        guard.hand_on(error)
        return _ABSENT, _ABSENT
    return total - free, total


def level(torch, index):
    """Bytes allocated at this moment."""
    return torch._C._xpu_memoryStats(index)["allocated_bytes"]["all"]["current"]


def limit(torch, index):
    """The device's size."""
    try:
        return torch.xpu.get_device_properties(index).total_memory
    except Exception as error:
        guard.hand_on(error)
        return None
