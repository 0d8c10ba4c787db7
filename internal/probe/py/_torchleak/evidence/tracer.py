"""Follows the user's own lines for a short while and sees which of them changes a holder.

Restrictions that keep the target as it is: one thread, only if nobody traces it, only functions in
the user's files, never functions that ask for their own names as a dict, and everything taken back.
"""

import sys
import time

from _torchleak import guard
from _torchleak.evidence import locals as names

_FRAMES = 8
_WRITES = 12
_SUSPENDS = 0x20 | 0x80 | 0x200  # generators, coroutines, asynchronous generators


class Tracer:
    """Traces the calling thread until end()."""

    def __init__(self, ctx, targets, observe, seconds):
        self._ctx = ctx
        self._targets = targets
        self._observe = observe   # called with the frame, the line that ran in it and what it returns
        self._deadline = time.perf_counter() + seconds
        self._on = False
        self._known = {}          # id of code -> (code, whether it is followed)
        self._resumed = {}        # id of code -> code of a function that can be suspended, and was entered or resumed
        self._at = None           # (frame, line) that runs now
        self._seen = {}           # key of a write -> its entry
        # One object each, so that "is it ours" can be asked.
        self._call = self._trace_call
        self._line = self._trace_line
        self.writes = {}          # number of holder -> entries
        self.on_begin = lambda frame: None
        self.on_write = lambda target, frame, frames: None
        self.phase = lambda: ""
        self.training = lambda: None

    def begin(self, frame):
        """Starts at the frames that run now; says why not when it cannot."""
        if sys.gettrace() is not None:
            return "the program traces its own lines: writes were not watched"
        while frame is not None:
            if self._wanted(frame.f_code) and frame.f_trace is None:
                if self._at is None:
                    self._at = (frame, frame.f_lineno)
                self.on_begin(frame)
                frame.f_trace = self._line
            frame = frame.f_back
        for target in self._targets:
            target.last = None if target.frame_id else target.mark(None)
        self._on = True
        sys.settrace(self._call)
        return ""

    def end(self):
        """Takes everything back."""
        self._off()
        frame = sys._getframe()
        while frame is not None:
            if frame.f_trace is self._line:
                del frame.f_trace
                names.read(frame)  # what its names were shown as must not outlive the watch
            frame = frame.f_back
        if self._resumed and sys.gettrace() is None:
            for frame in names.frames_that_wait(self._resumed):
                names.read(frame)
            self._resumed = {}

    def _off(self):
        self._on = False
        if sys.gettrace() is self._call:
            sys.settrace(None)
        self._at, self._targets = None, []

    def _wanted(self, code):
        known = self._known.get(id(code))
        if known is None:
            known = self._known[id(code)] = (code, self._follows(code))
        return known[1]

    def _follows(self, code):
        if names.SNAPSHOTS and code.co_flags & _SUSPENDS:
            return False  # the names as shown at a yield would stay with the suspended frame
        if code.co_flags & names.OPTIMIZED and not names.readable(code):
            return False
        return self._ctx.is_user_file(code.co_filename)

    def _trace_call(self, frame, event, arg):
        if not self._on:
            self._off()  # ended from another thread
            return None
        code = frame.f_code
        if names.SNAPSHOTS and code.co_flags & _SUSPENDS:
            self._resumed[id(code)] = code  # Python itself has shown us its names, and lets them lie
        if not self._wanted(code):
            return None
        self._step(frame, event, arg)
        return self._line

    def _trace_line(self, frame, event, arg):
        if not self._on:
            return None
        if event != "exception":
            self._step(frame, event, arg)
        return self._line

    def _step(self, frame, event, arg):
        """Lays what changed to the line that ran until now, then notes which line runs from here on."""
        try:
            if time.perf_counter() > self._deadline:
                self._off()
                return
            self._look(frame)
            self._observe(frame, self._at, arg if event == "return" else None)
            if event == "return":
                self._at = self._caller(frame.f_back)
                self._forget(frame)
            else:
                self._at = (frame, frame.f_lineno)
        except Exception as error:
            guard.hand_on(error)
            self._ctx.note("watching lines ended early: %s: %s" % (type(error).__name__, error))
            self._off()

    def _caller(self, frame):
        while frame is not None:
            if self._wanted(frame.f_code):
                return (frame, frame.f_lineno)
            frame = frame.f_back
        return None

    def _forget(self, frame):
        """A function that returns takes its names with it."""
        self._targets = [target for target in self._targets if target.frame_id != id(frame)]

    def _look(self, frame):
        for target in self._targets:
            if target.frame_id:
                if target.frame_id != id(frame) or target.code is not frame.f_code:
                    continue
                if target.last is None:
                    target.last = target.mark(frame)
                    continue
            mark = target.mark(frame)
            if mark != target.last:
                grew = not (type(mark) is int and type(target.last) is int and 0 <= mark < target.last)
                target.last = mark
                if grew:
                    self._wrote(target, frame)

    def _wrote(self, target, frame):
        if self._at is None:
            return
        at, line = self._at
        frames = self._ctx.user_frames(at, _FRAMES)
        if not frames:
            return
        if self._ctx.is_user_file(at.f_code.co_filename):
            frames[0]["line"] = line
        key = (target.number,) + tuple((f["file"], f["line"]) for f in frames[:3])
        entry = self._seen.get(key)
        if entry is None:
            entries = self.writes.setdefault(target.number, [])
            if len(entries) >= _WRITES:
                return
            entry = self._seen[key] = {
                "frames": frames, "count": 0, "step": self._ctx.step, "phase": self.phase(),
                "grad_enabled": bool(self._ctx.torch.is_grad_enabled()), "module_training": self.training(),
            }
            entries.append(entry)
        entry["count"] += 1
        self.on_write(target, frame, frames)
