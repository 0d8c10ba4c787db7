"""Runs one training in a child process, asks for evidence in the middle of it, and returns the answer.

The child is forked, so that torch is imported once for all trainings.
"""

import json
import os
import pathlib
import runpy
import sys
import traceback
import weakref

HERE = pathlib.Path(__file__).resolve().parent
TRAININGS = HERE / "trainings"
sys.path.insert(0, os.environ.get("TORCHLEAK_TEST_PROBE") or str(HERE.parent / "py"))

import torch  # noqa: E402

from _torchleak import evidence  # noqa: E402
from _torchleak.context import Context, Request  # noqa: E402
from _torchleak.frames import SYSTEM, Files  # noqa: E402

MARK = "# leak"

# The first optimizer of a process imports much in newer releases: once here, not in each child.
torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)


class Identity:
    """Stands where the probe's identity does, and keeps what was written."""

    def __init__(self):
        self.pid = os.getpid()
        self.documents = []

    def write_json(self, name, document):
        self.documents.append(json.loads(json.dumps(document)))


class UserFiles(Files):
    """As the probe's, but this driver is not the user's."""

    def kind(self, filename):
        return SYSTEM if filename.startswith(str(HERE / "driver.py")) else super().kind(filename)


class NoPhases:
    """Phases are the probe's core; the evidence only asks for the name of the present one."""

    def enable(self, memory):
        pass

    def disable(self):
        pass

    def current(self):
        return "rest"

    def growth(self):
        return []


class Clock:
    """Ticks after each step of any optimizer, as the probe's own clock does."""

    def __init__(self, at, memory, period, budget_ms):
        self.at, self.step = at, 0
        self.identity = Identity()
        request = Request(1, memory, period, budget_ms)
        files = UserFiles(str(TRAININGS), os.path.dirname(torch.__file__))
        self.optimizers = []
        self.context = Context(torch, request, 0, self.identity, self.optimizers, NoPhases(), files)
        self.job = None
        self.done = False

    def install(self):
        for cls in (torch.optim.SGD, torch.optim.Adam):
            self._wrap(cls)

    def _wrap(self, cls):
        original = cls.step

        def step(optimizer, *args, **kwargs):
            result = original(optimizer, *args, **kwargs)
            if not any(ref() is optimizer for ref in self.optimizers):
                self.optimizers.append(weakref.ref(optimizer))
            self.tick()
            return result

        cls.step = step

    def tick(self):
        self.step += 1
        if self.step < self.at or self.done:
            return
        self.context.step = self.step
        if self.job is None:
            self.job = evidence.start(self.context)
        else:
            self.done = self.job.tick(self.step)


def run(name, at=6, memory="host", period=1, budget_ms=3000, investigate=True, argv=()):
    """The evidence of one training, with what it left in `result` as "result"."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            answer = _child(name, at, memory, period, budget_ms, investigate, argv)
        except BaseException:
            answer = {"error": traceback.format_exc()}
        with os.fdopen(writing, "w") as out:
            json.dump(answer, out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as source:
        answer = json.load(source)
    os.waitpid(pid, 0)
    if "error" in answer:
        raise AssertionError(answer["error"])
    return answer


def _child(name, at, memory, period, budget_ms, investigate, argv):
    torch.set_num_threads(1)
    sys.argv = [name, *argv]
    sys.path.insert(0, str(TRAININGS))
    clock = Clock(at, memory, period, budget_ms)
    if investigate:
        clock.install()
    left = runpy.run_path(str(TRAININGS / (name + ".py")), run_name="__main__")
    if not investigate:
        return {"result": left.get("result")}
    if not clock.done:
        raise AssertionError("the request was not answered: %r" % clock.context.notes)
    return dict(clock.identity.documents[-1], result=left.get("result"), writes=len(clock.identity.documents))


def marked_lines(name):
    """The numbers of the training's lines that carry the mark."""
    lines = (TRAININGS / (name + ".py")).read_text().splitlines()
    return [number for number, line in enumerate(lines, 1) if MARK in line]


def show(answer):
    """The answer as text, for people."""
    return json.dumps(answer, indent=1, ensure_ascii=False)
