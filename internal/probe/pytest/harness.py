"""Runs a target under the probe and reads what the probe has left."""

import glob
import importlib.metadata
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ABSENT = -(1 << 63)
CLOCKS = ["", "manual", "optimizer", "backward", "forward", "data", "time"]
EVALUATION, EVIDENCE, COLLECTED, EPOCH, HOOKS = 1, 2, 4, 8, 16

# Where the probe is laid out; the Go test that runs this says so.
PROBE = os.environ["TORCHLEAK_TEST_PROBE"]


def torch_version():
    """Major and minor number of the torch that is tested. It is imported by targets, not here: that takes seconds."""
    return tuple(map(int, importlib.metadata.version("torch").split(".")[:2]))


class Record:
    """One record of a flight recorder."""

    def __init__(self, fields):
        self.number, self.step, self.nanos, self.memory, clock, self.flags = fields[:6]
        self.clock = CLOCKS[clock]
        self.values = fields[7:]


MAGIC = b"TLKFLT01"


class Header:
    """A flight recorder's header: all that can be read while the recorder is written."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self._parse(file.read(4096))

    def _parse(self, data):
        self.pid = struct.unpack_from("<I", data, 24)[0]
        assert data[:8] == MAGIC, data[:8]
        self.capacity = struct.unpack_from("<I", data, 20)[0]
        self.written = struct.unpack_from("<Q", data, 32)[0]
        clock, self.state = struct.unpack_from("<II", data, 56)
        self.clock = CLOCKS[clock]
        self.steps, self.probe_ns, self.evidence_ns = struct.unpack_from("<QQQ", data, 64)
        self.errors, self.done = struct.unpack_from("<II", data, 88)
        count = struct.unpack_from("<I", data, 28)[0]
        names = [data[256 + 64 * i : 320 + 64 * i] for i in range(count)]
        self.names = [name.rstrip(b"\0").decode() for name in names]


class Flight(Header):
    """A flight recorder as it lies on the disk. Reading fails on a record that does not fit."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self._parse(data)
        first = max(1, self.written - self.capacity + 1)
        self.records = [self._record(data, n) for n in range(first, self.written + 1)]

    def _record(self, data, number):
        at = 4096 + (number - 1) % self.capacity * 128
        fields = struct.unpack_from("<QQQHBBI12q", data, at)
        crc = zlib.crc32(data[at + 32 : at + 128], zlib.crc32(data[at : at + 28]))
        assert fields[0] == number and fields[6] == crc, "record %d is torn" % number
        return Record(fields)

    def series(self, value, memory="host"):
        """What was read of one value, in order."""
        index = self.names.index(memory)
        return [r.values[value] for r in self.records if r.memory == index and r.values[value] != ABSENT]


class Run:
    """One run of a target, and its directory."""

    def __init__(self):
        self.base = tempfile.mkdtemp(prefix="torchleak-test-")
        self.dir = os.path.join(self.base, "run")
        os.mkdir(self.dir)

    def environ(self, **extra):
        """The environment a target gets from us."""
        env = dict(os.environ, PYTHONPATH=PROBE, TORCHLEAK_DIR=self.dir, OMP_NUM_THREADS="1")
        env.pop("TORCHLEAK_TEST_PROBE", None)
        env.update(extra)
        return env

    def start(self, code, *args, options=(), probe=True, env=None, cwd=None, **popen):
        """Starts a target: a script with this text."""
        script = os.path.join(self.base, "train.py")
        with open(script, "w") as file:
            file.write(code)
        environment = self.environ(**(env or {}))
        if not probe:
            del environment["PYTHONPATH"], environment["TORCHLEAK_DIR"]
        return subprocess.Popen(
            [sys.executable, *options, script, *args], env=environment, cwd=cwd or self.base,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, **popen)

    def go(self, code, *args, expect=0, **how):
        """Runs a target to its end and returns what it printed."""
        process = self.start(code, *args, **how)
        self.out, self.err = process.communicate(timeout=300)
        assert process.returncode == expect, (process.returncode, self.out, self.err)
        return self.out

    @property
    def hellos(self):
        """All hellos, by pid."""
        found = {}
        for path in glob.glob(os.path.join(self.dir, "*.hello.json")):
            with open(path) as file:
                hello = json.load(file)
            found[hello["pid"]] = hello
        return found

    @property
    def flights(self):
        """All flight recorders."""
        return [Flight(path) for path in sorted(glob.glob(os.path.join(self.dir, "*.flight"))) if begun(path)]

    @property
    def flight(self):
        """The only flight recorder."""
        (only,) = self.flights
        return only

    def wait(self, process, steps):
        """Waits until a target has counted so many steps; its flight recorder's path."""
        end = time.monotonic() + 240
        while time.monotonic() < end:
            for path in glob.glob(os.path.join(self.dir, "*.flight")):
                if begun(path) and Header(path).steps >= steps:
                    return path
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        raise AssertionError("the target counted no %d steps" % steps)

    def close(self):
        """Removes the directory."""
        shutil.rmtree(self.base, ignore_errors=True)


def begun(path):
    """Whether a flight recorder has its magic, which comes last: before that it is none yet."""
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def ask(path, number, memory=0, period=1, budget_ms=300):
    """Writes a request as the reader does: its number last."""
    with open(path, "r+b") as file:
        file.seek(132)
        file.write(struct.pack("<IIII", 1, memory, period, budget_ms))
        file.flush()
        file.seek(128)
        file.write(struct.pack("<I", number))


_ZYGOTE = """
import gc, json, os, sys, traceback, torch
gc.disable()  # collections are what the probe counts time by where nothing steps, and a busy machine imports for long
if hasattr(torch, "compile"):
    import torch._dynamo  # the first optimizer would import it, in each child anew
gc.enable()
print("ready", flush=True)
for line in sys.stdin:
    order = json.loads(line)
    pid = os.fork()
    if pid == 0:
        for fd in 1, 2:
            os.dup2(os.open(order["streams"][fd - 1], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), fd)
        break
    print(pid, os.waitpid(pid, 0)[1], flush=True)
else:
    os._exit(0)
code = compile(order["code"], order["script"], "exec")
if order["ends"]:
    exec(code, {"__name__": "__main__"})
else:
    status = 0
    try:
        exec(code, {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
"""


class Zygote:
    """A process that has imported torch under the probe and forks one child a program: importing a
    large torch takes longer than the programs."""

    def __init__(self, excused=None):
        """excused: a pattern of what torch itself may say on stderr."""
        self.run = Run()
        self._excused = re.compile(excused or r"(?!)")
        self.process = self.run.start(_ZYGOTE, stdin=subprocess.PIPE)
        assert self.process.stdout.readline() == "ready\n", self.process.communicate()
        self._children = 0

    def go(self, code):
        """Runs one loop in a child; its flight recorder."""
        pid = self.run_only(code)
        (flight,) = [flight for flight in self.run.flights if flight.pid == pid]
        return flight

    def run_only(self, code):
        """Runs code in a child that must neither fail nor say anything on stderr; its pid."""
        pid, status = self._run(code, ends=False)
        assert (status, self.err) == (0, ""), (status, self.out, self.err)
        return pid

    def program(self, code, expect=0):
        """Runs code in a child that ends as Python does, with what runs at an exit; its pid."""
        pid, status = self._run(code, ends=True)
        status = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
        assert status == expect, (status, self.out, self.err)
        return pid

    def _run(self, code, ends):
        self._children += 1
        base = os.path.join(self.run.base, str(self._children))
        os.mkdir(base)
        script, *streams = [os.path.join(base, name) for name in ("train.py", "out", "err")]
        with open(script, "w") as file:
            file.write(code)
        order = {"code": code, "script": script, "streams": streams, "ends": ends}
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        pid, status = map(int, self.process.stdout.readline().split())
        self.out, self.err = read(streams[0]), self._excused.sub("", read(streams[1]))
        return pid, status

    def close(self):
        """Ends the process; whatever was printed to stderr is an error."""
        _, err = self.process.communicate(timeout=60)
        self.run.close()
        assert err == "", err


def read(path):
    """The text of a file."""
    with open(path) as file:
        return file.read()


def left(run):
    """The documents that all processes have left, in no order; they are taken away."""
    found = []
    for path in glob.glob(os.path.join(run.dir, "*.oom.json")):
        with open(path) as file:
            found.append(json.load(file))
        os.remove(path)
    return found
