"""One request, from the first census to the file: three snapshots, the comparison, the watch."""

import contextlib
import gc
import time

from _torchleak import guard
from _torchleak.evidence import analysis, growth, kinds, loaded, paths, sites, snapshot, tensors, watch

_CENSUSES = 3
_LEAST_SPAN = 2
_WARM = 0.6  # what a later walk costs, as a share of the first
_LONGEST_WATCH = 64
_TRIES = 3  # interruptions after which a request is given up: each begins a walk anew
_RARE = 8  # steps of a window in which growth that does not come in every step has to show
_ROUND = 4  # periods of one in which growth that does not come in every period has to: what three clients did is kept once
_LONGEST_ROUND = 16  # steps: what comes more seldom may be a cache that fills slowly


class Investigation:
    """Answers one request. tick() is called at every step boundary until it says it is done."""

    def __init__(self, ctx):
        self._ctx = ctx
        self._kinds = kinds.Kinds(ctx.torch)
        self._reader = tensors.Reader(ctx.torch)
        self._paths = paths.Paths()
        self._loaded = loaded.Loaded(self._kinds, ctx)
        self._snapshots = []
        self._planned = _CENSUSES
        self._least = 1
        self._sites = sites.Sites(ctx)
        self._hooks = watch.SavedTensorHooks(ctx.torch)
        self._watch = None
        self._findings = analysis.Findings()
        self._started = time.perf_counter()
        ctx.stopwatch.loaded()
        self._gc_enabled = gc.isenabled()
        self._next = 0
        self._watch_from = self._watch_until = 0
        self._failed = ""  # what kept the evidence from being whole
        self._search_truncated = False
        self._done = False
        self._cut = 0  # times that a signal handler of the target's has cut the work short
        period = max(1, ctx.period)
        self._span = period * -(-_LEAST_SPAN // period)
        self._period = period
        self._beat = period  # steps in which what grows grows once, as far as is known
        self._rare = max(_RARE, _ROUND * period)

    @property
    def watching(self):
        """Whether the target's lines are traced now."""
        return self._watch is not None

    def tick(self, step):
        """Does what is due at this boundary; returns whether the request is answered."""
        if self._done:
            return True
        self._gc_enabled = gc.isenabled()
        if self._cut >= _TRIES:
            self._failed = "interrupted"
            self._ctx.note("signals interrupted the search for what is kept again and again: it was given up")
            self._finish(complete=False)
            return True
        try:
            if step >= self._next or self._watch is not None or self._sites.due(step):
                self._cut += 1
                with self._ctx.stopwatch, kinds.Paused():
                    self._due(step)
                self._cut -= 1
        except BaseException as error:
            self._release()
            guard.let_go(error)
            if not isinstance(error, Exception):
                raise
            guard.hand_on(error)
            self._failed = "%s: %s" % (type(error).__name__, error)
            self._ctx.note("evidence is incomplete: %s: %s" % (type(error).__name__, error))
            self._finish(complete=False)
        return self._done

    def close(self, write=True):
        """Ends early, as when the target exits: everything as it was, what is known written."""
        if not self._done:
            self._ctx.note("the target ended, or forked, before all was seen")
            self._finish(complete=False, write=write)

    def _due(self, step):
        if self._sites.due(step):
            self._sites.read()
        if self._watch is not None:
            late = step - self._watch_until
            # What did not come in time has ended, and while it is waited for no step is judged.
            if self._watch.expired() or late >= max(2, self._beat // 2) or late >= 0 and self._watch.satisfied():
                self._finish(complete=True)
            return
        if step < self._next:
            return
        if not self._snapshots:
            self._sites.begin(step, self._span)
        taken = self._snapshot(step)
        self._snapshots.append(taken)
        # What grows in every step shows in the next one already: the first window is a single period.
        self._next = step + (self._period if len(self._snapshots) == 1 and self._planned == _CENSUSES else self._span)
        if len(self._snapshots) < self._planned:
            if len(self._snapshots) > 1 and (self._period > 1 or self._span >= self._rare):
                self._compare()  # windows are long: one says what it can
            self._snapshots[-1].release()
            self._write(complete=False)
            return
        joined = self._compare()
        if self._findings.empty() and self._extended(step):
            return
        self._watch = watch.Watch(self._ctx, self._kinds, self._reader, joined.targets(), self._findings, joined.group_keys)
        joined = None  # it needs the objects of the last snapshot
        self._snapshots[-1].release()
        self._write(complete=False)
        self._watch.begin()
        self._watch_from = step
        self._watch_until = step + min(self._beat, _LONGEST_WATCH)

    def _snapshot(self, step):
        remaining = self._planned - len(self._snapshots)
        left = self._ctx.stopwatch.left()
        share = left * 0.8 / remaining
        taken = snapshot.take(self._ctx, self._kinds, self._reader, self._paths, self._loaded, step, max(0.005, share))
        # Later walks find the way warm.
        if not self._snapshots and (1 + 2 * _WARM) * taken.census.cpu_seconds > 0.9 * left:
            self._planned = 2
            self._span *= 2
            self._least = max(1, self._span // self._period - 1)
            self._ctx.note("walking this many objects takes long: there is one window and not two")
        if taken.census.partial:
            self._ctx.note("too many tensors for the time allowed: their numbers were not compared")
        if taken.search.truncated:
            self._search_truncated = True
            self._ctx.note("the search from the program's names ran out of time")
        return taken

    def _extended(self, step):
        """Looks again over longer windows where nothing grew in two short ones and the budget allows."""
        walked, rare = len(self._snapshots), self._rare
        if self._span >= rare or rare > _LONGEST_ROUND:
            self._hint()
            return False
        if walked < _CENSUSES or 2 * self._ctx.stopwatch.cpu_seconds / walked > 0.9 * self._ctx.stopwatch.left():
            return False
        self._ctx.note("no tensor was kept in every step, so the probe looked again, %d steps at a time" % rare)
        self._snapshots[-1].release()
        del self._snapshots[:-1]
        self._span = self._beat = rare
        self._next = step + rare
        return True

    def _hint(self):
        """Notes what grew in one of the windows only: no proof, but a place to look at."""
        once = growth.Growth([self._snapshots[0], self._snapshots[-1]], self._paths, 1)
        with self._reader.quiet():
            findings = self._join(once).run()
        grown = {number for group in findings.groups for number in group["holders"]}
        paths = [holder["path"] for holder in findings.holders if holder["id"] in grown and holder["length"]]
        if paths:
            self._ctx.note("grew in one window of two: " + ", ".join(paths[:3]))

    def _compare(self):
        joined = self._join(growth.Growth(self._snapshots, self._paths, self._least))
        with self._reader.quiet():
            self._findings = joined.run()
        if self._findings.unasked:
            self._search_truncated = True
            self._ctx.note("there was no time to ask what refers to some of the tensors")
        return joined

    def _join(self, found):
        last = self._snapshots[-1]
        hooked = self._hooks.seen or any(taken.census.saved_hooks for taken in self._snapshots)
        if hooked:
            self._ctx.note("saved tensors go through hooks here (checkpointing or offloading): they were not read")
        return analysis.Analysis(self._ctx, self._kinds, self._reader, self._paths, last, found, not hooked)

    def _finish(self, complete, write=True):
        self._done = True
        ended, self._watch = self._watch, None
        with contextlib.ExitStack() as ends:  # the last one first
            ends.callback(self._release)
            if write:
                ends.callback(self._write, complete)
            for end in (self._sites.end, self._hooks.end, ended.end if ended is not None else None):
                if end is not None:
                    ends.callback(self._put_back, end)

    def _put_back(self, end):
        try:
            end()
        except Exception as error:
            guard.hand_on(error)
            self._ctx.note("not all could be put back: %s" % type(error).__name__)

    def _release(self):
        for taken in self._snapshots:
            taken.release()

    def _write(self, complete):
        ctx = self._ctx
        document = {
            "evidence": 1, "request": ctx.number, "pid": ctx.pid, "memory": ctx.memory, "period": self._period,
            "complete": complete, "failed": self._failed, "search_truncated": self._search_truncated,
            "watch_steps": max(1, self._ctx.step - self._watch_from) if self._watch_from else 0,
            "censuses": [{
                "step": taken.census.step, "objects": taken.census.objects, "tensors": taken.census.tensor_count,
                "seconds": round(taken.census.seconds, 6), "tensor_bytes": taken.census.tensor_bytes,
            } for taken in self._snapshots],
            "sites": self._sites.grown(),
            "gc": {"enabled": self._gc_enabled, "frozen": gc.get_freeze_count(), "threshold": list(gc.get_threshold())},
            "notes": ctx.notes,
        }
        document.update(self._findings.document())
        document["cost"] = {"seconds": round(time.perf_counter() - self._started, 6),
                            "stopped_seconds": round(ctx.stopwatch.seconds, 6),
                            "cpu_seconds": round(ctx.stopwatch.cpu_seconds, 6)}
        ctx.write(document)
