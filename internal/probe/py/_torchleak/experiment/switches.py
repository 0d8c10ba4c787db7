"""Switches statements of the target off while it runs: the first steps run as they are, behind them a statement
that is off is passed over, or gives again what it gave at the same turn of an earlier step.
"""

import atexit
import builtins
import json
import os
import sys

from _torchleak import guard
from _torchleak.experiment.rewrite import NAME, Rewriter
from _torchleak.experiment.values import Kept, reuse, spent

_STEADY = 6  # steps at the beginning that say little of what a step runs
_SAID_EVERY = 16  # steps
# What a statement raises that misses something; what it raises by itself, it raises with everything on too.
_MISSES = (LookupError, NameError, AttributeError, TypeError, ValueError, RuntimeError, ArithmeticError, AssertionError)


class Statement:
    """One statement that can be switched."""

    __slots__ = ("facts", "off", "gives", "step", "turn", "known", "values", "steps", "order", "end", "ticks", "raises")

    def __init__(self, facts, off, gives):
        self.facts = facts
        self.off = off
        self.gives = gives  # a value, without which the code behind it cannot go on
        self.step = -1  # in which it ran last
        self.turn = 0  # how often it has run in that step before
        self.known = 0  # turns that may be passed over: there was one like them
        self.values = []
        self.steps = 0
        self.order = self.end = 0  # places in its last step: where its first turn there begins and ends
        self.raises = False  # with everything on too
        self.ticks = 0  # steady steps that ended in it


class Switches:
    """All statements that can be switched. plan: "list" names all that run again and again, in a file; "off" names
    those to switch off; "free" is how many steps run first."""

    def __init__(self, plan, run_dir):
        self._list = bool(plan.get("list"))
        self._off = {(f, line, column) for f, line, column in plan.get("off") or ()}
        self._free = plan.get("free", 4)
        self._path = os.path.join(run_dir, "%d.statements.json")
        self._statements = []
        self._kept = Kept()
        self._step = self._count = self._said = 0
        setattr(builtins, NAME, self)
        if self._list:
            atexit.register(self._say)

    def rewrite(self, tree, path):
        """The tree of a file with its statements made switchable."""
        real = os.path.realpath(path)

        def enter(facts, gives):
            off = (real, facts["line"], facts["column"]) in self._off
            self._statements.append(Statement(dict(facts, file=real), off, gives))
            return len(self._statements) - 1

        return Rewriter(enter, bool(self._off)).rewrite(tree)

    def on(self, index):
        """Whether the statement is to run now."""
        s = self._statements[index]
        step = _steps()
        if step != self._step:
            self._stepped(step)
        self._count += 1
        if s.step == step:
            s.turn += 1
        else:
            s.step, s.turn = step, 0
            if step >= _STEADY:
                s.steps += 1
                s.order = self._count
        if s.off and step >= self._free and s.turn < s.known:
            return False
        s.known = max(s.known, s.turn + 1)
        return True

    def done(self, index):
        """The statement has run."""
        s = self._statements[index]
        if s.step != _steps():
            s.ticks += s.step >= _STEADY
        elif not s.turn:
            s.end = self._count

    def put(self, index, value):
        """What the statement gave, kept for later turns."""
        self.done(index)
        s = self._statements[index]
        if s.off or self._off and s.step < self._free:
            try:
                s.off = s.off and not spent(value)
                s.values[s.turn:s.turn + 1] = [self._kept.keep(value, s.off)]
            except Exception as error:  # it cannot be given again, so it runs on
                s.off = False
                guard.caught(error)
        return value

    def mended(self, index):
        """Whether the error that a statement raised comes of others that are off: then it is passed over too."""
        s = self._statements[index]
        if _steps() < self._free:
            s.raises = True
        return bool((s.values or not s.gives) and not s.raises and isinstance(sys.exc_info()[1], _MISSES))

    def get(self, index):
        """What the statement gave at this turn of an earlier step."""
        s = self._statements[index]
        return reuse(s.values[min(s.turn, len(s.values) - 1)])

    def _stepped(self, step):
        self._step, self._count = step, 0
        if self._list and step >= self._said + _SAID_EVERY:
            self._said = step
            self._say()

    @guard.guarded
    def _say(self):
        if not self._step:
            return
        path = self._path % os.getpid()
        said = [dict(s.facts, steps=s.steps, order=s.order, end=s.end, ticks=2 * s.ticks > s.steps) for s in self._statements if s.steps]
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump({"step": self._step, "steady": _STEADY, "statements": said}, file)
        os.replace(path + ".part", path)


def _steps():
    probe = sys.modules.get("_torchleak.probe")
    return 0 if probe is None else probe.steps()
