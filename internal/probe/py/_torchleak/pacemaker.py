"""Of several things that tick in a loop, finds the one that ticks once in a loop."""

import weakref

_SILENT, _SILENT_FRESH = 8, 64
_SETTLED = 8  # ticks after which a leader that makes room for a new one has had its training
_SURE = 2
_MANY = 256


class Pacemaker:
    """Chooses the optimizer (or outermost module) whose steps are the loop's.

    The first one seen leads. One that comes regularly, but only after several of the leader's,
    takes over: with five critic updates to one of the generator, the generator sets the period.
    So does any other when the leader has fallen silent, and at once one that was made after the
    leader's last tick, as each trial of a search or fold of a cross-validation makes its own while
    the old ones are kept. Where a leader comes back after that, as in meta-learning, new ones are
    parts of its loop and have to wait.
    """

    def __init__(self, slowest):
        self._slowest = slowest  # leader's ticks to one of another that is still a loop's period
        self._lead = None
        self._beats = 0
        self._others = 0
        self._longest = 0
        self._known = {}
        self._succeeded = None  # the leader that made room for a new one
        self._nested = False

    def made(self, thing):
        """Takes note of a thing that is made now; who does not know leaves it out."""
        known = self._known[id(thing)] = _Known(weakref.ref(thing))
        known.made = self._beats
        self._prune()

    def lead(self):
        """The one whose steps count now, or None."""
        return self._lead() if self._lead is not None else None

    def ticks(self, thing):
        """Whether an event of this thing is one of the leader's."""
        lead = self._lead
        if lead is not None and lead() is thing:
            self._beats += 1
            if self._others:
                self._longest = max(self._longest, self._others)
                self._others = 0
            return True
        return self._other(thing)

    def _other(self, thing):
        known = self._known.get(id(thing))
        if known is None or known.ref() is not thing:
            known = self._known[id(thing)] = _Known(weakref.ref(thing))
            self._prune()
        fresh, known.fresh = known.fresh, False
        between = self._beats - known.beats
        known.beats = self._beats
        known.slow = known.slow + 1 if not fresh and 2 <= between <= self._slowest else 0
        self._others += 1
        if self._lead is None or self._lead() is None:
            return self._take_over(known, 0)
        if fresh and known.made == self._beats >= _SETTLED and not (self._longest or self._nested):
            self._succeeded = self._lead
            return self._take_over(known, 0)
        if known.ref is self._succeeded:
            self._succeeded, self._nested = None, True
            return self._take_over(known, self._beats)
        if known.slow >= _SURE:
            return self._take_over(known, between)
        if self._others > max(_SILENT_FRESH if fresh else _SILENT, 4 * self._longest):
            return self._take_over(known, self._others)
        return False

    def _take_over(self, known, gap):
        self._lead = known.ref
        self._longest = gap
        self._others = 0
        for other in self._known.values():
            other.made, other.beats, other.slow = None, 0, 0
        self._beats = 1
        return True

    def _prune(self):
        if len(self._known) > _MANY:
            self._known = {key: k for key, k in self._known.items() if k.ref() is not None}
            if len(self._known) > _MANY:
                self._known = dict(list(self._known.items())[-_MANY // 2 :])


class _Known:
    __slots__ = ("ref", "made", "fresh", "beats", "slow")

    def __init__(self, ref):
        self.ref = ref
        self.made = None  # leader's ticks when it was made
        self.fresh = True  # it has not ticked yet
        self.beats = 0
        self.slow = 0
