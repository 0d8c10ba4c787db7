"""Decides what counts as a step.

Sources report events: an optimizer has stepped, a backward has run, … The best source that
really ticks sets the clock. A worse one takes over only when the better has been silent for
long, as in an inference loop behind a training; the better one comes back at once.
"""

NONE, MANUAL, OPTIMIZER, BACKWARD, FORWARD, DATA, TIME = range(7)

# Events of a source, without a better one's in between, before it is believed. In the first
# step of a training data and backward come before the optimizer: they have to wait for it, long
# where there is an optimizer and it may accumulate gradients, or a validation comes first.
_PATIENCE = (0, 1, 1, 2, 4, 8, 10)
_PATIENCE_OPTIMIZER = (0, 1, 1, 32, 32, 64, 64)
_SILENCE = 64


class Clock:
    """The arbiter between sources."""

    def __init__(self):
        self.active = NONE
        self.optimizer_made = False
        self.ticks = 0  # steps so far
        self._counts = [0] * 7
        self._longest = [0] * 7  # most events of a source between two ticks of a better one
        self._counted_at = [0] * 7

    def event(self, kind):
        """Whether this event of a source ends a step."""
        if kind == self.active:
            self.ticks += 1
            return True
        counts = self._counts
        if kind > self.active and self._counted_at[kind] != self.ticks:
            self._start_over(kind)
        counts[kind] += 1
        if counts[kind] < self._needed(kind):
            return False
        self._take_over(kind)
        return True

    def counted(self, kind):
        """Takes an event that is about to come if it can end no step; False for one that may, which has
        to be reported when it comes."""
        if not self.active or kind <= self.active:
            return False
        if self._counted_at[kind] != self.ticks:
            self._start_over(kind)
        if self._counts[kind] + 1 >= self._needed(kind):
            return False
        self._counts[kind] += 1
        return True

    def _start_over(self, kind):
        """A better source has ticked since this one's last event."""
        self._counted_at[kind] = self.ticks
        self._longest[kind] = max(self._longest[kind], self._counts[kind])
        self._counts[kind] = 0

    def _needed(self, kind):
        if self.active == MANUAL:
            return float("inf")
        if self.active and kind > self.active:
            # Validation comes back again and again: twice its longest so far is silence.
            return max(_SILENCE, 2 * self._longest[kind])
        return (_PATIENCE_OPTIMIZER if self.optimizer_made else _PATIENCE)[kind]

    def _take_over(self, kind):
        before = self.active
        if before > kind:
            # What the worse source has ticked was one long silence of the better.
            self._longest[before] = max(self._longest[before], self.ticks - self._counted_at[before])
        self.active = kind
        self.ticks += 1
        self._counted_at[kind] = self.ticks
        for better in range(kind):
            self._counts[better] = 0
