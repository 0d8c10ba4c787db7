"""What every reader promises, tried with a real torch. Prints a JSON object of one result a reader: all in one process,
since importing torch takes the longest."""

import importlib
import json
import pkgutil
import time

import torch

from _torchleak import backends

ABSENT = -(1 << 63)
SIZE = 64 << 20


def check(holds, text):
    if not holds:
        result["faults"].append(text)


def initialised():
    module = getattr(torch, name, None)
    return name != "cpu" and hasattr(module, "is_initialized") and module.is_initialized()


def hardware():
    if name == "cpu":
        return True
    if name == "mps":
        return torch.backends.mps.is_available()
    return getattr(torch, name).is_available()


def figures(index):
    values = reader.read(torch, index)
    check(len(values) == 12, "read gives %d values" % len(values))
    check(all(type(v) is int for v in values), "values are not all integers: %r" % (values,))
    for at, value in enumerate(values):
        if value != ABSENT:
            seen.add(at)
            check(value >= 0, "value %d is %d" % (at, value))
    return values


def exercise(index):
    """The first value and level() follow an allocation, and its end."""
    device = "cpu" if name == "cpu" else reader.memory_name(index)
    before, level = figures(index)[0], reader.level(torch, index)
    kept = torch.ones(SIZE // 4, device=device)
    for _ in range(3):
        time.sleep(0.3)
        during = figures(index)[0]
    rise = reader.level(torch, index) - level
    check(abs(during - before - SIZE) < SIZE // 8, "value 0 rose by %d for %d bytes" % (during - before, SIZE))
    check(abs(rise - SIZE) < SIZE // 8, "level rose by %d for %d bytes" % (rise, SIZE))
    del kept
    check(abs(reader.level(torch, index) - level) < SIZE // 8, "level did not fall again")
    limit = reader.limit(torch, index)
    check(limit is None or limit > SIZE, "limit is %r" % (limit,))


results = {}
for _, name, _ in pkgutil.iter_modules(backends.__path__):
    reader = importlib.import_module("_torchleak.backends." + name)
    result = {"available": False, "hardware": False, "memories": [], "read": [], "faults": []}
    seen = set()
    result["available"] = bool(reader.available(torch))
    if result["available"]:
        reader.start(torch)
        used = list(reader.devices(torch))
        check(name == "cpu" or not used, "devices in use before anything was allocated: %r" % used)
        check(not initialised(), "the reader has initialised the device")
        result["hardware"] = hardware()
        if result["hardware"]:
            if name != "cpu":
                first = torch.ones(1 << 20, device=name)
            used = list(reader.devices(torch))
            check(used == [0], "devices in use: %r" % used)
            for index in used:
                result["memories"].append(reader.memory_name(index))
                exercise(index)
    result["read"] = sorted(seen)
    results[name] = result
print(json.dumps(results))
