"""Reads every memory in use at a step's end and writes it to the flight recorder."""

import os

from _torchleak import flight
from _torchleak.flight import NOTHING

_ERRORS_IN_A_ROW = 16


class Recorder:
    """The flight recorder of one process."""

    def __init__(self, torch, identity, backends, suffix=".flight", capacity=flight.CAPACITY):
        self._torch = torch
        self._backends = backends
        self._host = backends[0]
        self._others = backends[1:]
        self._indexes = {}
        self._failed = 0
        self.due = 0  # nothing will be read before this time of the monotonic clock
        self.flight = flight.Flight(identity.stem + suffix, identity.pid, identity.start, capacity)
        self.file = os.path.basename(identity.stem) + suffix
        self.flight.add_memory("host")

    def record(self, step, now, clock, flags):
        """Writes one record for each memory that was read. True when a memory is new."""
        write, torch = self.flight.write, self._torch
        figures = self._host.read(torch, 0)
        if figures is not NOTHING or flags:
            write(step, now, 0, clock, flags, figures)
        self._failed = 0
        due = self._host.due(0)
        new = False
        for backend in self._others:
            for device in backend.devices():
                memory = self._indexes.get((backend, device))
                if memory is None:
                    memory = self._enter(backend, device)
                    new = True
                if memory >= 0:
                    figures = backend.read(torch, device)
                    if figures is not NOTHING:
                        write(step, now, memory, clock, flags, figures)
                    due = min(due, backend.due(device))
        self.due = due
        return new

    def _enter(self, backend, device):
        memory = self.flight.add_memory(backend.memory_name(device))
        if memory is None:
            memory = -1  # the table is full: this memory is not watched
        self._indexes[backend, device] = memory
        return memory

    def failed(self):
        """Takes note of an error in a step. True when the recorder had better stop."""
        self._failed += 1
        return self._failed >= _ERRORS_IN_A_ROW
