package detect

import "github.com/torchleak/torchleak/internal/stats"

// patience is the length of the windows in which growth must show, in samples: two periods, two of the
// longest pauses so far, and long enough to rise out of the noise.
func (t *track) patience() int64 {
	g := t.growth
	w := max(8, 2*g.period, 2*g.pause)
	if g.rate.Mid > 0 {
		if out := 2 * g.rate.noise / (g.rate.Mid * t.stride()); out > float64(w) {
			w = int64(min(out, 1<<20))
		}
	}
	return w
}

// stopped reports that the floor did not rise over the last three windows of length w. Two windows would let a
// single drop of the series pass for an end.
func (t *track) stopped(at, w int64) bool {
	g := t.growth
	if at+1-2*w < g.first {
		return false
	}
	a, b, c, ok := t.hist.lastFloors(w)
	if !ok {
		return false
	}
	enough := g.rate.Mid * t.stride() * float64(w) / 4
	before, after := float64(b-a) > enough, float64(c-b) > enough
	if before && after && at-g.highest > w { // a drop took the record out of reach
		g.record, g.highest = t.hist.ceiling(at+1-w, at+1), at
	}
	return !before && !after
}

// seldom reports that w samples before step took more than twice the steps that they usually do: what is dear to read is
// read ever less often, and waiting for as many samples as before would outlast the run.
func (t *track) seldom(step, w int64) bool {
	from := t.hist.at(max(t.hist.oldest(), t.hist.n-1-w))
	return float64(step-from.step) > 2*t.stride()*float64(w)
}

// unread takes note that the series was not read in a step: growth that has stood still, by the samples there are, may not
// be seen to do so for longer.
func (t *track) unread(step int64) {
	if t.growth == nil {
		return
	}
	if w := t.patience(); t.seldom(step, w) {
		t.endHalted(w)
	}
}

// endHalted closes the growth if it has halted.
func (t *track) endHalted(w int64) {
	at := t.hist.n - 1
	if from, ok := t.halted(at, w); ok {
		t.end(at, from)
	}
}

// halted is stopped by single samples, w usual steps apart or more: two such stretches in a row gained less than a quarter
// of what the growth would give, so that a single drop does not pass for an end. One is enough when it is twice as long as
// all that grew, and gained half of that. It returns where they begin.
func (t *track) halted(at, w int64) (from int64, ok bool) {
	h, g := &t.hist, t.growth
	span := int64(float64(w) * t.stride())
	for n := range 2 {
		end := h.at(at)
		from = at - 1
		for from > max(g.first, h.oldest()) && end.step-h.at(from).step < span {
			from--
		}
		if from <= max(g.first, h.oldest()) {
			return 0, false
		}
		begin := h.at(from)
		gain, expected := float64(end.value-begin.value), g.rate.Mid*float64(end.step-begin.step)
		if 4*gain > expected {
			return 0, false
		}
		if n == 0 && end.step-begin.step >= 2*(begin.step-g.since) && 8*gain <= expected {
			return from, true
		}
		at = from
	}
	return from, true
}

// longPeriod is from how many samples on a period is long: of a shorter one, floors tell soon enough that it ended, and a
// single drop of the heap hides two of its rises.
const longPeriod = 10

// overdue reports growth with a long period of which two rises in a row did not come: the series stands where the last one left it.
// It goes by steps, not by samples, since evidence that waits for such a rise leaves the steps unread in which none came.
func (t *track) overdue() bool {
	if t.growth.period < longPeriod || len(t.rises.list) == 0 {
		return false
	}
	e := t.rises.newest()
	end := max(e.end, t.hist.oldest()) // where readings are seldom, several rises are one
	if 2*(t.last().step-t.hist.at(end).step) < 5*t.periodSteps(t.growth) {
		return false
	}
	return 4*(t.last().value-e.base-e.size) < e.size
}

// slowed reports that the second half of the growth gained less than a quarter a step of what the first half did, as a
// cache does that has seen most of its keys.
func (t *track) slowed() bool {
	g := t.growth
	if length := float64(t.last().step-g.since) / t.stride(); length < float64(max(rungs, 8*g.period)-1) {
		return false
	}
	ws, _ := g.ladder.windows(1, t.hist.n)
	if len(ws) < 8 {
		return false
	}
	if t.goesOn() {
		return false // what came in larger rises before was something else
	}
	x, y := floors(ws)
	y = stats.WithoutJumps(x, y)
	n := len(y) - 1
	before, after := y[n/2]-y[0], y[n]-y[n/2]
	return before > 2*g.rate.noise && 4*after*(x[n/2]-x[0]) < before*(x[n]-x[n/2])
}

// goesOn reports periodic growth whose newest rises are as large as each other, and none is overdue.
func (t *track) goesOn() bool {
	if t.growth.period == 1 {
		return false
	}
	_, ok := t.rises.regular(t.last().value, t.stride())
	return ok && 2*(t.last().step-t.rises.newest().step) <= 3*t.periodSteps(t.growth)
}

// end closes the growth, which has not risen since sample number from, and keeps it if it is the largest so far, or was proven.
func (t *track) end(at, from int64) {
	g, h := t.growth, &t.hist
	plateau := h.floor(from, at+1)
	stop := max(g.first, h.oldest())
	for stop < at && h.at(stop).value < plateau {
		stop++
	}
	g.until = h.at(stop).step
	g.rate = t.rateUntil(stop + 1)
	g.grown = min(plateau-g.base, int64(g.rate.Mid*float64(g.until-g.since+1)*5/4)) // a jump in between is no growth
	t.growth, t.ended = nil, stop+1
	if stop < heldSettle && !g.proven {
		return // the series found its size
	}
	if g.grown > 0 && (t.past == nil || t.past.grown < g.grown || g.proven) {
		g.proven = g.proven || t.past != nil && t.past.proven
		t.past = g
	}
}
