"""Answers the reader's requests: starts the gathering of evidence and drives it step by step."""

import importlib
import sys

import _torchleak
from _torchleak import flight, guard
from _torchleak.context import Request

_IDLE_NS = 200_000  # a boundary at which nothing was due takes a few microseconds


class Control:
    """At most one request is worked on at a time; a newer one waits for its end."""

    def __init__(self, recorder, make_context):
        self._flight = recorder.flight
        self._make_context = make_context
        self.answered = 0  # differs from the newest request while there is something to do
        self._job = None
        self._context = None
        self._evidence_ns = 0
        self.touched = False  # evidence was gathered since the last record

    def step(self, step):
        """Begins or continues to gather, at the end of a step while a request is unanswered.

        A step between two censuses costs nothing and leaves nothing behind: it is judged like any other.
        """
        stopped = 0 if self._context is None else self._context.stopwatch.ns
        watching = self._watching()
        if self._job is not None:
            self._drive(step)
        else:
            self._begin(step)
        if watching or self._context is None or self._context.stopwatch.ns - stopped > _IDLE_NS or self._watching():
            self.touched = True

    def _watching(self):
        return getattr(self._job, "watching", False)

    def _begin(self, step):
        request = Request(*self._flight.request())
        self._context = context = self._make_context(request, step)
        self._flight.state(flight.GATHERING)
        try:
            with context.stopwatch:
                # A target that has removed modules, and where we came from, must not cost us the rest of ours.
                sys.modules.setdefault("_torchleak", _torchleak)
                evidence = importlib.import_module("_torchleak.evidence")
                self._job = evidence.start(context)
        except Exception as error:
            self._fail(error)

    def _drive(self, step):
        context = self._context
        context.step = step
        try:
            with context.stopwatch:
                done = self._job.tick(step)
            if done:
                self._end()
        except Exception as error:
            self._fail(error)

    def close(self, write=True):
        """Ends early, as at the target's exit: everything is put back. A forked child has nothing to say."""
        if self._job is None:
            return
        try:
            self._job.close(write)
        except Exception as error:
            guard.caught(error)
        if write:
            self._end()
        self._job = self._context = None

    def _fail(self, error):
        """Says in the file that there is no evidence, so that nobody waits for it."""
        guard.caught(error)
        context = self._context
        context.note("gathering evidence failed: " + guard.last)
        try:
            if not context.written:
                context.write({
                    "evidence": 1, "request": context.number, "pid": context.pid,
                    "memory": context.memory, "period": context.period, "complete": False,
                    "failed": guard.last, "notes": context.notes,
                })
        except Exception as second:
            guard.caught(second)
        self._end()

    def _end(self):
        # The reader is told first: what a signal handler raises here leaves a request that is ended once more at
        # the next boundary, and not one that we take for answered while the reader waits for ever.
        context = self._context
        spent = self._evidence_ns + context.stopwatch.ns
        self._flight.state(flight.WATCHING)
        self._flight.answered(context.number, spent)
        self._evidence_ns, self.answered = spent, context.number
        self._job = self._context = None
