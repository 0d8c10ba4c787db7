"""What the gathering of evidence is given to work with."""

import time

from _torchleak import frames


class Request:
    """One question of the reader's, as it stood in the flight recorder."""

    __slots__ = ("number", "memory", "period", "budget_ms")

    def __init__(self, number, memory, period, budget_ms):
        self.number = number
        self.memory = memory
        self.period = max(1, period)
        self.budget_ms = budget_ms or 300


_STANDSTILL = 5  # times the budget that the target may stand still on a busy machine


class Stopwatch:
    """Adds up how long the target stands still for one request, and our own work in that time. Nests: counted once.

    `with stopwatch:` around work; `left()` is what the budget still allows, in seconds of work. Other programs' use
    of the processor is no reason to look less closely, within limits.
    """

    def __init__(self, budget_ms):
        self.budget_ns = budget_ms * 1000000
        self._ns = self._work = 0
        self._depth = 0
        self._since = self._worked = 0

    def __enter__(self):
        if self._depth == 0:
            self._since, self._worked = time.perf_counter_ns(), time.thread_time_ns()
        self._depth += 1
        return self

    def __exit__(self, *_):
        self._depth -= 1
        if self._depth == 0:
            self._ns += time.perf_counter_ns() - self._since
            self._work += time.thread_time_ns() - self._worked

    @property
    def ns(self):
        """Nanoseconds so far, those of a running measurement included."""
        running = time.perf_counter_ns() - self._since if self._depth else 0
        return self._ns + running

    @property
    def seconds(self):
        """The same in seconds."""
        return self.ns / 1e9

    @property
    def cpu_seconds(self):
        """Seconds of the processor's time so far."""
        running = time.thread_time_ns() - self._worked if self._depth else 0
        return (self._work + running) / 1e9

    def loaded(self):
        """What was done so far was to load our own modules, once: it is not counted as work."""
        self._work, self._worked = 0, time.thread_time_ns()

    def left(self):
        """Seconds of work left of the budget, negative when overdrawn."""
        return min(self.budget_ns / 1e9 - self.cpu_seconds, (_STANDSTILL * self.budget_ns - self.ns) / 1e9)


class Context:
    """One request's surroundings.

    torch      the target's module
    number, memory ("host", "cuda:0", …), period, budget_ms   of the Request
    step       the step counted last; kept current while the request is worked on
    pid        this process
    phases     enable(memory), disable(), current(), growth(): see phases.py
    stopwatch  a Stopwatch of budget_ms
    notes      sentences for the report
    written    whether a file was written
    files      a frames.Files
    """

    def __init__(self, torch, request, step, identity, optimizers, phases, files):
        self.torch = torch
        self.number = request.number
        self.memory = request.memory
        self.period = request.period
        self.budget_ms = request.budget_ms
        self.step = step
        self.pid = identity.pid
        self.phases = phases
        self.stopwatch = Stopwatch(request.budget_ms)
        self.notes = []
        self.written = False
        self.files = files
        self._identity = identity
        self._optimizers = optimizers

    @property
    def optimizers(self):
        """The optimizers seen so far that are still alive."""
        alive = (ref() for ref in list(self._optimizers))
        return [optimizer for optimizer in alive if optimizer is not None]

    def write(self, evidence):
        """Writes the evidence file of this request, whole, over an earlier one of it."""
        self._identity.write_json("evidence-%d.json" % self.number, evidence)
        self.written = True

    def write_profile(self, profile):
        """Writes the profile of this process."""
        self._identity.write_json("profile.json", profile)

    def file(self, suffix):
        """The path of a file of this process."""
        return "%s.%s" % (self._identity.stem, suffix)

    def note(self, text):
        """Keeps a sentence for the report, once."""
        if text not in self.notes:
            self.notes.append(text)

    def is_user_file(self, filename):
        """Whether code of this file is the user's: not installed, not torch, not ours."""
        return self.files.kind(filename) == frames.USER

    def is_package_file(self, filename):
        """Whether code of this file is an installed package's other than torch."""
        return self.files.kind(filename) == frames.PACKAGE

    def user_frames(self, frame, limit):
        """The user's frames from frame outwards: [{"file", "line", "function"}, …]."""
        return frames.user_frames(self.files, frames.outwards(frame), limit)
