"""Runs one training program and writes its live bytes per step: series.py OUT PROGRAM CLOCK STEPS gc|nogc.

A step is one step of the first optimizer that steps (clock `optimizer`), one `backward`, or one call of an
outermost module (`forward`). Patches classes only, never instances, and stands on nothing of torchleak.
"""
import array
import ctypes
import functools
import gc
import json
import os
import runpy
import sys
import time


class Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Mallinfo2


def live_bytes():
    info = libc.mallinfo2()
    shm = 0
    with open("/proc/self/status") as f:
        for line in f:
            if line.startswith("RssShmem:"):
                shm = int(line.split()[1]) * 1024
    return info.uordblks + info.hblkhd + 64 * sys.getallocatedblocks() + shm


class Recorder:
    """Writes one figure per step into a preallocated array, so that recording does not grow what it measures."""

    def __init__(self, steps):
        self.steps = steps
        self.bytes = array.array("q", bytes(8 * 2 * steps))
        self.count = 0
        self.started = self.ended = 0.0
        self.collected = None
        self.first = None
        self.depth = 0
        self.pid = os.getpid()

    def tick(self):
        if os.getpid() != self.pid or self.count == len(self.bytes):
            return
        if self.count == 3:  # the garbage of the imports is not the training's
            gc.collect()
            self.started = time.perf_counter()
        self.bytes[self.count] = live_bytes()
        self.count += 1
        if self.count == self.steps:
            self.ended = time.perf_counter()
            for _ in range(5):  # a cycle that hangs on another's graph is free only after that
                gc.collect()
            self.collected = self.bytes[self.count - 1] - live_bytes()


def watch_optimizer(recorder, torch):
    def watch(cls):
        step = cls.__dict__.get("step")
        if step is None or getattr(step, "watched", False):
            return

        @functools.wraps(step)
        def stepped(self, *args, **kwargs):
            result = step(self, *args, **kwargs)
            if recorder.first is None:
                recorder.first = id(self)
            if recorder.first == id(self):
                recorder.tick()
            return result

        stepped.watched = True
        cls.step = stepped

    init = torch.optim.Optimizer.__init__

    def initialised(self, *args, **kwargs):
        init(self, *args, **kwargs)
        watch(type(self))

    torch.optim.Optimizer.__init__ = initialised


def watch_backward(recorder, torch):
    backward = torch.autograd.backward

    def backed(*args, **kwargs):
        result = backward(*args, **kwargs)
        recorder.tick()
        return result

    torch.autograd.backward = backed


def watch_forward(recorder, torch):
    call = torch.nn.Module.__call__

    def called(self, *args, **kwargs):
        recorder.depth += 1
        try:
            return call(self, *args, **kwargs)
        finally:
            recorder.depth -= 1
            if recorder.depth == 0:
                recorder.tick()

    torch.nn.Module.__call__ = called


def main():
    out, program, clock, steps, collector = sys.argv[1:6]
    sys.argv = [program]
    sys.path[0] = os.path.dirname(os.path.abspath(program))
    import torch

    torch.set_num_threads(1)
    recorder = Recorder(int(steps))
    {"optimizer": watch_optimizer, "backward": watch_backward, "forward": watch_forward}[clock](recorder, torch)
    if collector == "nogc":
        gc.disable()
    runpy.run_path(program, run_name="__main__")
    if recorder.count != recorder.steps:
        sys.exit("%d steps instead of %d" % (recorder.count, recorder.steps))
    with open(out, "w") as f:
        json.dump({
            "torch": torch.__version__.split("+")[0],
            "bytes": recorder.bytes[:recorder.count].tolist(),
            "collected": recorder.collected,
            "seconds": (recorder.ended - recorder.started) / max(1, recorder.count - 4),
        }, f)


if __name__ == "__main__":
    main()
