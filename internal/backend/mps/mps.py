"""Apple GPUs through torch.mps. Memory is shared with the host. Not run on hardware yet."""

from _torchleak import guard

NAME = "mps"

heap_source = ""

_ABSENT = -(1 << 63)


def available(torch):
    """Whether this torch was built for MPS, the machine has it, and it tells its memory."""
    mps = getattr(getattr(torch, "backends", None), "mps", None)
    return mps is not None and hasattr(torch, "mps") and mps.is_built() and mps.is_available()


def start(torch):
    """Nothing to prepare."""


def memory_name(index):
    """What the memory is called in records."""
    return "mps:%d" % index


def devices(torch):
    """The one GPU of the machine, once this process has allocated in it."""
    return [0] if torch.mps.current_allocated_memory() > 0 else []


def read(torch, index):
    """The twelve figures of a device, docs/format/flight.md."""
    try:
        allocated = torch.mps.current_allocated_memory()
        reserved = torch.mps.driver_allocated_memory()
    except Exception as error:
        guard.hand_on(error)
        return (_ABSENT,) * 12
    return (allocated, reserved) + (_ABSENT,) * 10


def level(torch, index):
    """Bytes allocated at this moment."""
    return torch.mps.current_allocated_memory()


def limit(torch, index):
    """What Metal recommends as the most, where torch tells (2.5 on)."""
    recommended = getattr(torch.mps, "recommended_max_memory", None)
    try:
        return recommended() if recommended is not None else None
    except Exception as error:
        guard.hand_on(error)
        return None
