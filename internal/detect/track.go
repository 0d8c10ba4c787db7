package detect

import "github.com/torchleak/torchleak/internal/memory"

// settle is how many samples at the start are never judged: model, first gradients, first buffers.
const settle = 3

// track follows one series and says whether it grows.
type track struct {
	series *series
	least  float64  // growth per step below this is of no interest
	warmup int64    // steps up to this one are not judged
	taken  int64    // what the probe itself added while it gathered evidence
	freed  int64    // what a heap that it stirred up gave back beyond what had grown
	paused bool     // evidence was gathered since the last sample
	aside  aside    // the readings while it was
	higher int64    // first step of the evidence being gathered since which a device was above the last sample; 0 none
	parted [8]int64 // numbers of the newest samples before which evidence was gathered
	raw    point    // last sample as it was read
	hist   history
	steps  majority // from sample to sample
	scale  scale
	rises  rises
	teeth  teeth
	run    int64 // newest samples in a row that each rose
	growth *growth
	past   *growth // the largest growth that ended
	ended  int64   // number of the sample after the newest that ended
}

func newTrack(s *series, warmup int64) *track {
	return &track{series: s, least: s.least, warmup: warmup}
}

// observe takes the value at the end of a step.
func (t *track) observe(step, value int64, flags uint8) {
	if step <= t.warmup {
		return
	}
	paused := t.paused
	value -= t.added(point{step, value})
	var change int64
	rising, marked := point{step, value}, flags&marks != 0
	if t.hist.n > 0 {
		last := t.last()
		change = value - last.value
		if rising.step = t.roseAt(last.step, step); t.rises.marked > last.step {
			rising.step, marked = min(rising.step, t.rises.marked), true // it need not have been read then
		}
		t.steps.add(step - last.step)
	}
	completed := t.hist.push(point{step, value})
	at := t.hist.n - 1
	if change > 0 {
		t.run++
	} else {
		t.run = 0
	}
	if paused {
		copy(t.parted[1:], t.parted[:])
		t.parted[0] = at
	}
	if at < settle {
		return
	}
	standsOut := max(4*(t.scale.usual()+1), int64(t.least))
	t.scale.add(change)
	if paused && change < 0 {
		t.rises.sink(change)
	}
	rose := t.rises.observe(at, rising, change, standsOut, marked)
	t.teeth.observe(step, value, change, flags&memory.FlagCollected != 0)
	if p := t.past; p != nil && value < p.base+p.grown/2 {
		t.past = nil // it was given back: the rise of a tooth, no plateau
	}
	if t.growth == nil {
		t.notice(at, rose, completed)
		return
	}
	if g := t.growth; value < g.base && !g.proven || t.gaveBack(at, value) {
		t.growth = nil // all that was gained is gone
		return
	}
	t.retime(at, rose)
	t.follow(at, value)
}

// glimpse takes a reading of a device in a step in which evidence was gathered: it tells when the next sample rose, not how
// far.
func (t *track) glimpse(step, value int64) {
	switch {
	case t.hist.n == 0 || value <= t.last().value:
		t.higher = 0
	case t.higher == 0:
		t.higher = step
	}
}

// roseAt is the step in which the series rose to the sample of step now, if it did so after the last sample: evidence may
// have been gathered in it.
func (t *track) roseAt(last, now int64) int64 {
	at := now
	if t.higher > last {
		at = t.higher
	}
	t.higher = 0
	return at
}

// added returns what gathering evidence changed of the series so far: rises over the steps in which it was gathered,
// beyond what growth explains, are the probe's own and must not make for the next suspicion; they come back first. A heap that falls by more than that
// below what the growth began from did not give the growth back: the loading and walking stirred it up. Nor did one that falls just
// then while unproven growth has a period: there the rises tell, and survivors decide.
func (t *track) added(now point) int64 {
	if t.paused && t.hist.n > 0 {
		g := t.growth
		periodic := g != nil && g.period > 1
		fell := now.value - t.raw.value
		switch excess := fell - t.explained(now.step); {
		case excess > 0 && (periodic || !t.rises.alike(excess)):
			t.taken += max(0, excess-t.rises.due(t.raw.step, excess))
		case fell < 0 && periodic && !g.proven,
			fell < 0 && g != nil && t.last().value+fell+t.taken < g.base-(t.last().value-g.base)/4:
			back := min(t.taken, -fell)
			t.taken -= back
			t.freed += -fell - back
		case excess < 0: // what the probe took comes back
			t.taken = max(0, t.taken+excess)
		}
	}
	t.paused, t.raw, t.aside = false, now, aside{}
	return t.taken - t.freed
}

// aside is the readings of steps in which evidence was gathered. They are not judged, since the probe moves them; that they
// stand still tells that the target did not grow either.
type aside struct{ n, last, rise int64 }

func (a *aside) add(v int64) {
	if a.n > 0 {
		a.rise = max(a.rise, v-a.last)
	}
	a.n, a.last = a.n+1, v
}

// explained is the most that the growth can have added since the last sample: in every step, or with the rises that were due.
func (t *track) explained(step int64) int64 {
	g := t.growth
	if g == nil || t.jumped() {
		return 0
	}
	from, steps := t.raw.step, step-t.raw.step
	if p := t.periodSteps(g); g.period > 1 && len(t.rises.list) > 0 {
		if 4*t.aside.n >= 3*steps && 4*float64(t.aside.rise) < g.rate.Mid*float64(p) {
			return 0 // hardly a step went unread, and none rose by what the growth gives
		}
		last := t.rises.newest().step
		steps = p * ((step-last)/p - (from-last)/p)
	}
	return int64(1.5 * g.rate.Mid * float64(steps))
}

// notice starts a growth when one shows.
func (t *track) notice(at int64, rose bool, completed int) {
	switch {
	case t.rising(at):
		first := max(1, at-min(t.run, row)+1)
		t.begin(at, start{first, t.hist.at(first).step, t.hist.at(first - 1).value, 1, 4})
	case rose && t.repeats(at):
	case completed >= 0:
		for k := 0; k <= completed; k++ {
			if w, ok := t.climbing(k); ok {
				t.begin(at, start{w.start, w.step, w.min, 1, 1 << (k + firstLevel)})
				return
			}
		}
	}
}

// row is how many rises in a row make a beginning.
const row = 4

// rising: four rises in a row of like sizes to a height not seen lately. Three are enough when the last are equal.
func (t *track) rising(at int64) bool {
	n := min(t.run, row)
	if n < row-1 {
		return false
	}
	h := &t.hist
	now, from := h.at(at), h.at(at-n)
	gain := now.value - from.value
	if float64(gain) < t.least*float64(now.step-from.step) {
		return false
	}
	last := now.value - h.at(at-1).value
	if n < row && (last*n != gain || h.at(at-1).value-h.at(at-2).value != last) {
		return false
	}
	smallest, largest := last, last
	for i := at - n + 1; i < at; i++ {
		rise := h.at(i).value - h.at(i-1).value
		smallest, largest = min(smallest, rise), max(largest, rise)
	}
	if 8*smallest < largest {
		return false
	}
	before := max(settle, at-t.run-64)
	return before >= at-t.run || now.value > h.ceiling(before, at-t.run)+gain/4
}

// repeats: rises that stand out, in a row with a period, each of which stayed.
func (t *track) repeats(at int64) bool {
	first, period, ok := t.rises.periodic(t.last().value, t.stride())
	if !ok || float64(first.size) < t.least*float64(period) {
		return false
	}
	t.begin(at, first.start(period))
	return true
}

// climbing: the floors of the last windows of level k rise strictly, to a height not seen before, and either five
// of them climb out of the range that one window usually covers, or eight of them climb evenly.
func (t *track) climbing(k int) (first window, ok bool) {
	if !t.hist.climbs(k, 5) {
		return window{}, false
	}
	ws := t.hist.last(k, levelSize)
	for len(ws) > 0 && ws[0].start < settle {
		ws = ws[1:]
	}
	for _, c := range []struct {
		row   int
		holds func([]window) bool
	}{{5, outOfRange}, {8, evenly}} {
		if len(ws) < c.row {
			continue
		}
		last := ws[len(ws)-c.row:]
		gain := float64(last[c.row-1].min - last[0].min)
		if climb(last) && gain >= t.least*float64(last[c.row-1].step-last[0].step) && c.holds(last) && above(last[c.row-1].min, ws[:len(ws)-c.row]) {
			return last[0], true
		}
	}
	return window{}, false
}

func climb(ws []window) bool {
	for i := 1; i < len(ws); i++ {
		if ws[i].min <= ws[i-1].min {
			return false
		}
	}
	return true
}

func above(height int64, ws []window) bool {
	for _, w := range ws {
		if w.min >= height {
			return false
		}
	}
	return true
}

func outOfRange(ws []window) bool {
	return float64(ws[len(ws)-1].min-ws[0].min) >= noise(ws, 0)
}

func evenly(ws []window) bool {
	smallest, largest := ws[1].min-ws[0].min, ws[1].min-ws[0].min
	for i := 2; i < len(ws); i++ {
		inc := ws[i].min - ws[i-1].min
		smallest, largest = min(smallest, inc), max(largest, inc)
	}
	return 4*smallest >= largest
}

// last returns the newest sample.
func (t *track) last() point { return t.hist.at(t.hist.n - 1) }

// seen is how many samples were judged.
func (t *track) seen() int64 { return t.hist.n }
