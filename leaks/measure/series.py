"""Runs training programs, each in a fork of its own, and writes their live bytes per step.

Reads one job a line, {"program", "out", "clock", "steps", "gc", "memory"}, and says when it is done. A step is one step of the first optimizer that steps (clock `optimizer`), one `backward`, or one call of an
outermost module (`forward`). Patches classes only, never instances, and stands on nothing of torchleak.
"""
import array
import ctypes
import functools
import gc
import json
import os
import runpy
import signal
import sys
import time


class Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Mallinfo2


def pages(pid, key):
    """Bytes of one kind of pages of a process, 0 when it has ended."""
    try:
        with open("/proc/%s/status" % pid) as f:
            for line in f:
                if line.startswith(key):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def live_bytes(memory):
    """Of this process, or of its loader workers."""
    if memory == "worker":
        with open("/proc/self/task/%d/children" % os.getpid()) as f:
            return sum(pages(pid, "RssAnon:") for pid in f.read().split())
    info = libc.mallinfo2()
    return info.uordblks + info.hblkhd + 64 * sys.getallocatedblocks() + pages("self", "RssShmem:")


class Recorder:
    """Writes one figure per step into a preallocated array, so that recording does not grow what it measures."""

    def __init__(self, steps, memory):
        self.steps = steps
        self.memory = memory
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
        self.bytes[self.count] = live_bytes(self.memory)
        self.count += 1
        if self.count == self.steps:
            self.ended = time.perf_counter()
            for _ in range(5):  # a cycle that hangs on another's graph is free only after that
                gc.collect()
            self.collected = self.bytes[self.count - 1] - live_bytes(self.memory)


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


def measure(torch, job):
    """Runs one program in this process and writes its figures."""
    program = job["program"]
    sys.argv = [program]
    sys.path[0] = os.path.dirname(program)
    os.chdir(sys.path[0])
    recorder = Recorder(job["steps"], job["memory"])
    {"optimizer": watch_optimizer, "backward": watch_backward, "forward": watch_forward}[job["clock"]](recorder, torch)
    if not job["gc"]:
        gc.disable()
    runpy.run_path(program, run_name="__main__")
    if recorder.count != recorder.steps:
        raise RuntimeError("%d steps instead of %d" % (recorder.count, recorder.steps))
    return {
        "torch": torch.__version__.split("+")[0],
        "bytes": recorder.bytes[:recorder.count].tolist(),
        "collected": recorder.collected,
        "seconds": (recorder.ended - recorder.started) / max(1, recorder.count - 4),
    }


def child(torch, job):
    """Runs one program in a process of its own, whose output goes nowhere; never returns."""
    signal.alarm(120)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.dup2(null, 2)
    try:
        answer = measure(torch, job)
    except BaseException as error:  # SystemExit of a program is a failure to measure it, too
        answer = {"error": "%s: %s" % (type(error).__name__, error)}
    with open(job["out"], "w") as f:
        json.dump(answer, f)
    os._exit(0)


def main():
    """Imports torch once, then forks for every job that comes in, and answers each with a line."""
    import torch

    torch.set_num_threads(1)
    for line in sys.stdin:
        job = json.loads(line)
        pid = os.fork()
        if pid == 0:
            child(torch, job)
        print(os.waitpid(pid, 0)[1], flush=True)


if __name__ == "__main__":
    main()
