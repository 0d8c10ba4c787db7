"""The probe of this process: wires sources, clock, recorder and requests together."""

import atexit
import contextlib
import os
import sys
import time

from _torchleak import dataset, flight, frames, guard, hello, identity as who, signs, tap
from _torchleak.backends import load
from _torchleak.batches import Batches
from _torchleak.bell import Bell, close, lasting, lead, silence
from _torchleak.clock import BACKWARD, MANUAL, OPTIMIZER, TIME, Clock
from _torchleak.context import Context, Request
from _torchleak.control import Control
from _torchleak.phases import Phases
from _torchleak.recorder import Recorder
from _torchleak.shortage import Shortage
from _torchleak.sources.backward import BackwardSource
from _torchleak.sources.data import DataSource
from _torchleak.sources.forward import ForwardSource
from _torchleak.sources.optimizer import OptimizerSource

_TRAINING = (MANUAL, OPTIMIZER, BACKWARD)
_QUIET_NS, _BEAT_NS = 5000000000, 1000000000
_LATE = "attached to a program that ran already: what was allocated before is not known to torchleak, neither when nor where"
_REST = 2  # steps in which nothing is read after one in which something was, so that the median step only counts

probe = None


def install(torch, run_dir):
    """Called behind the target's import of torch; again when it imports torch anew."""
    global probe
    if probe is not None:
        probe.remove()
    try:
        probe = Probe(torch, run_dir)
        probe.apply()
    except Exception as error:
        guard.caught(error)
        _unable(torch, run_dir)


@guard.guarded
def _unable(torch, run_dir):
    """Says that we cannot listen to this torch: it is another module of that name, or a PyTorch unlike those we know."""
    identity = who.Identity(run_dir)
    note = "%s is no PyTorch that it knows (%s)" % (vars(torch).get("__file__") or "the module torch", guard.last)
    identity.write_json("hello.json", hello.describe(torch, identity, (), "", [note]))


def attach(torch, run_dir, optimizers, reader, leave):
    """Puts the probe into a program that trains already, with the optimizers that it has made. leave() is called when the
    reader is gone, again and again until the probe was taken out."""
    global probe
    probe = Probe(torch, run_dir)
    probe.apply()
    probe.adopt(optimizers)
    probe.depend(reader, leave)


def detach():
    """Takes out what attach() has put in."""
    global probe
    probe, gone = None, probe
    gone.let_go()


def steps():
    """How many steps this process has made."""
    return 0 if probe is None else probe._step


def manual_step():
    """torchleak.step() of a target."""
    if probe is not None:
        probe.event(MANUAL)


class Probe:
    """Everything in one process; a forked child makes its own of it."""

    def __init__(self, torch, run_dir):
        self._torch = torch
        self.run_dir = run_dir
        self._notes = []
        self._forked = False
        self._backends = load(torch)
        self._begin()
        tap.begin()
        self._at_fork = Bell(guard.guarded(self._after_fork)).ring
        self._at_exit = guard.guarded(self._ended)
        self._signs = signs.Signs(self._heartbeat)
        data = DataSource(self.event, self._signs.epoch, self._in_worker)
        self._forward = ForwardSource(self.event)
        self._optimizer = OptimizerSource(self.event, self._optimizer_made, self._forward.trained)
        self._sources = (data, self._optimizer, BackwardSource(torch, self.event, self._forward.trained, self._counted))
        files = frames.Files(self._identity.cwd, os.path.dirname(torch.__file__ or ""))
        phases = Phases(torch, self._backends, self._optimizer)
        self._make_context = lambda request, step: Context(
            torch, request, step, self._identity, self._optimizer.optimizers, phases, files)
        self._shortage = Shortage(
            torch, lambda memory, budget: self._make_context(Request(0, memory, 1, budget), self._step),
            lambda document: self._identity.write_json("oom.json", document),
            lambda: self._identity.stem + ".oom.pickle")

    def _begin(self):
        """What belongs to this process alone."""
        self._identity = who.Identity(self.run_dir)
        self._clock = Clock()
        self._recorder = self._control = None
        self._step = 0
        self._spent = 0
        # A step of the kind `calm` is only counted while it comes before the time `due`, or up to the step `rest`.
        self._calm, self._due, self._rest = -1, 0, 0
        self._answered = 0
        self._longs = self._words = None
        self._quiet_since = time.monotonic_ns()
        self._beat = 0
        self._busy = False
        self._off = False
        self._listener = None
        self._reader = None

    @property
    def busy(self):
        """Whether an event is being worked on."""
        return self._busy

    def listen(self, listener):
        """Tells listener of every step's end, and of the program's."""
        self._listener = listener

    def apply(self):
        """Says hello and begins to listen. Without a directory to write to: nothing at all."""
        self._hello()
        if self._off:
            return
        for part in self._sources + (self._signs,):
            part.apply()
        self._forward.start()
        self._shortage.apply()
        if hasattr(os, "register_at_fork"):
            forked, new = lasting("fork")
            lead("fork", self._at_fork)
            if new:
                os.register_at_fork(after_in_child=forked)
        atexit.register(self._at_exit)

    def adopt(self, optimizers):
        """Takes the optimizers that were made before us."""
        self._notes.append(_LATE)
        for backend in self._backends:
            backend.late()
        for optimizer in optimizers:
            self._optimizer.adopt(optimizer)
        self._hello()

    def depend(self, reader, leave):
        """Is here for this reader only."""
        self._leave = Bell(guard.guarded(leave)).ring
        self._reader = reader

    def let_go(self):
        """Stops listening for good: the recording ends here, and the program goes on without us."""
        if self._control is not None:
            self._control.close()
        if self._recorder is not None and not self._off:
            self._close_flight()
        self.remove()
        atexit.unregister(self._at_exit)
        silence()
        self._recorder = self._control = self._longs = self._words = None

    def remove(self):
        """Stops listening."""
        self._off = True
        for part in self._sources + (self._signs,):
            part.remove()
        self._forward.stop()
        self._shortage.remove()

    def event(self, kind, now=time.monotonic_ns):
        """One event of a source. Never raises, never waits: what comes while another is worked on,
        from a thread or from within, is dropped."""
        if self._busy or self._off:
            return
        try:
            self._busy = True  # should two threads get past this, one record is torn and its reader drops it
            begin = now()
            self._quiet_since = begin
            if (kind == self._calm and (begin < self._due or self._step < self._rest)
                    and self._words[flight.REQUEST] == self._answered and not self._signs.flags):
                # Caches are cold between two steps of a real training: what is not touched here costs nothing.
                self._clock.ticks += 1
                self._step = self._longs[flight.STEPS] = self._step + 1
                self._spent += now() - begin
            elif self._clock.event(kind) and (self._recorder is not None or self._open(kind)):
                self._tick(kind, begin)
        except Exception as error:
            guard.caught(error)
            if self._recorder is not None and self._recorder.failed():
                self._stop()
        finally:
            self._busy = False

    def _tick(self, kind, begin):
        self._step = step = self._step + 1
        if self._listener is not None:
            self._listener.step(step, self._context_of)
        recorder, control, noted = self._recorder, self._control, self._signs
        noted.count(step)
        flags = noted.flags
        if flags:
            noted.flags = 0
        noted.listen()
        if control.touched:
            control.touched = False
            flags |= signs.EVIDENCE
        if recorder.record(step, begin, kind, flags):
            self._hello()
        calm = recorder.due > begin and self._listener is None
        self._calm, self._due, self._rest = kind if calm else -1, recorder.due, step + _REST
        self._spent += time.monotonic_ns() - begin
        if recorder.flight.progress(step, kind, self._spent, guard.errors) != control.answered:
            control.step(step)
            self._calm = -1
            self._answered = control.answered

    def _open(self, kind):
        """Makes the flight recorder, at the first step: now this process is one that trains.
        Workers and launchers see batches and modules too, without training."""
        role = self._identity.role
        if role == who.WORKER or (role == who.LAUNCHER and kind not in _TRAINING):
            return False
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._identity.stem + ".flight")  # it is there if a signal handler has cut a first try short
        try:
            recorder = Recorder(self._torch, self._identity, self._backends)
        except (OSError, ValueError) as error:
            guard.caught(error)
            self._notes.append("no flight recorder: " + guard.last)
            self._hello()
            self._stop()
            return False
        self._control = Control(recorder, self._make_context)
        self._longs, self._words = recorder.flight.longs, recorder.flight.words
        self._recorder = recorder
        self._identity.role = who.TRAINER
        self._hello()
        return True

    def _hello(self):
        try:
            file = self._recorder.file if self._recorder is not None else ""
            self._identity.write_json("hello.json", hello.describe(
                self._torch, self._identity, self._backends, file, self._notes))
        except OSError as error:
            guard.caught(error)
            if self._recorder is None:
                self._off = True
                self._identity.mute(error.errno)

    def _stop(self):
        self._off = True
        if self._recorder is not None:
            self._recorder.flight.state(flight.OFF)

    def _heartbeat(self, now):
        """Now and then, from the collector: is this a loop in which nothing we know of ticks?"""
        self._look_for_reader(now)
        if self._off or now - self._quiet_since < _QUIET_NS or now - self._beat < _BEAT_NS:
            return
        self._beat = now
        if not self._forward.wide:
            self._forward.start()
        if not self._forked and not _is_child():
            quiet = self._quiet_since
            self.event(TIME)
            self._quiet_since = quiet

    def _counted(self, kind):
        if self._reader is not None:
            self._look_for_reader(time.monotonic_ns())
        return self._clock.counted(kind)

    def _look_for_reader(self, now):
        """Asked for where no hook of an optimizer's step is ours: then everything can be taken out."""
        if self._reader is not None and self._reader.gone(now):
            self._leave()

    @guard.guarded
    def _optimizer_made(self):
        self._clock.optimizer_made = True

    @guard.guarded
    def _in_worker(self, loop, arguments):
        self._identity.role = who.WORKER
        self._identity.dataset = dataset.given(loop, arguments)
        if self._identity.dataset is not None and not self._off:
            with contextlib.suppress(OSError):  # without room it is watched from outside alone
                Batches(self._torch, self._identity, self._backends[0]).apply()
        self._hello()

    def _after_fork(self):
        """A forked child is a process of its own; its hello comes with its first step."""
        off = self._off
        if self._control is not None:
            self._control.close(write=False)
        self._begin()
        self._off = off
        self._forked = True
        if self._identity.role == who.LAUNCHER:
            self._identity.role = who.UNKNOWN
        for backend in self._backends:
            backend.restart()
        for part in self._sources + (self._signs, self._forward, self._shortage):
            part.restart()
        self._clock.optimizer_made = bool(self._optimizer.alive())

    def _context_of(self, step):
        """What a listener works with that makes no request."""
        return self._make_context(Request(0, "", 1, 0), step)

    def _ended(self):
        if self._listener is not None:
            self._listener.end()
        if self._control is not None:
            self._control.close()
        if self._identity.role != who.LAUNCHER and not self._off:
            guard.guarded(self._shortage.ended)()
        if self._recorder is not None and not self._off:
            self._close_flight()
        close()

    def _close_flight(self):
        self._recorder.flight.progress(self._step, self._clock.active, self._spent, guard.errors)
        self._recorder.flight.state(flight.ENDED)


def _is_child():
    """Whether multiprocessing has started this process."""
    process = sys.modules.get("multiprocessing.process")
    return process is not None and process.parent_process() is not None
