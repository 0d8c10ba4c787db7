package detect

// Suspicion is growth worth an investigation now.
type Suspicion struct {
	Series       string  // which series grows: allocated, used, python_blocks, shm_files
	Step         int64   // now
	Since        int64   // step the growth began at
	Period       int64   // steps between growths, 1 for growth every step
	BytesPerStep float64 // things a step for a series that counts
}

// doubt decides how often evidence is asked for: at once for growth that is new, ever more seldom for growth
// that evidence did not bear out.
type doubt struct {
	heard     bool
	open      bool // evidence was asked for and nothing came yet
	hunch     bool // … before anything was sure
	last      Confirmation
	kept      *Confirmation // survivors that may prove growth which has yet to show
	unfounded int           // requests that proved no growth, in a row
	until     int64         // step before which the like of what was dismissed is not asked about again
	rate      float64       // fastest growth dismissed or explained so far
	full      int64         // step until which what has a bound may be filling
	filling   float64       // bytes a step that it was seen to gain
}

const (
	firstWait = 16
	hunchWait = 6
	longWait  = 10 // doublings
)

// answered decides when the like of what an answer was about is asked about again.
func (q *doubt) answered(c Confirmation, proven, waiting bool) {
	open, hunch := q.open, q.hunch
	q.open, q.hunch = false, false
	switch {
	case proven:
		q.unfounded = 0
	case waiting:
		q.until = c.nextLook()
		return
	case hunch:
		q.until = max(q.until, c.Step+hunchWait)
		return
	case open:
		q.unfounded = min(q.unfounded+1, longWait)
	}
	q.until = max(q.until, c.Step+firstWait<<q.unfounded)
}

// Suspicion returns the growth that evidence should be gathered for now, if there is any.
func (d *Detector) Suspicion() (Suspicion, bool) {
	for _, t := range d.tracks {
		s, g := t.series, t.growth
		if s.role > secondary || !d.grows(t) {
			continue
		}
		if !d.doubt.asks(t, d.facts.steps) || t.faded() || t.hist.n-g.first < t.waits() {
			continue
		}
		d.doubt.open, d.doubt.hunch, g.asking = true, g.since <= settle && t.hist.n <= heldSettle, g.period
		return Suspicion{
			Series: s.name, Step: d.facts.steps, Since: g.since,
			Period: t.spacing(g), BytesPerStep: g.rate.Mid,
		}, true
	}
	return d.hunch()
}

// hunch is a suspicion before growth can be told from noise: the memory has risen in every step so far. Evidence
// decides, so the first look may come early; it is had once.
func (d *Detector) hunch() (Suspicion, bool) {
	t, q := d.main(), &d.doubt
	n := t.hist.n
	if q.heard || q.open || n <= settle || n > heldSettle || t.run != n-1 {
		return Suspicion{}, false
	}
	first, last := t.hist.at(0), t.last()
	gain, steps := last.value-first.value, last.step-first.step
	if t.series.slow(t.pace(1), n) || t.settles(0) {
		return Suspicion{}, false
	}
	q.open, q.hunch = true, true
	return Suspicion{
		Series: t.series.name, Step: last.step, Since: t.hist.at(1).step, Period: 1,
		BytesPerStep: float64(gain) / float64(steps),
	}, true
}

// waits is how many samples growth must last before it is asked about: none, unless it is slow or seems to be a warm-up
// that ends.
func (t *track) waits() int64 {
	s, g := t.series, t.growth
	switch {
	case g.rate.Mid < s.unhurried:
		return s.patience
	case s.slow(g.rate.Mid, t.hist.n), g.period == 1 && (s.slow(t.pace(paceOf), t.hist.n) || t.settles(g.first-1)):
		return patienceForFew
	}
	return 0
}

// faded reports growth in every step of which the newest samples show little any more: it will be found to have ended.
func (t *track) faded() bool {
	g := t.growth
	return g.period == 1 && t.hist.n-g.first >= firstWait && 4*t.pace(firstWait) < g.rate.Mid
}

// paceOf is over how many samples the present pace is taken.
const paceOf = 3

// pace is what the series gained per step of the newest samples.
func (t *track) pace(samples int64) float64 {
	now, then := t.last(), t.hist.at(max(t.hist.oldest(), t.hist.n-1-samples))
	return float64(now.value-then.value) / float64(max(1, now.step-then.step))
}

// settles reports a beginning of the kind that every healthy training has: from sample number first on each step gains
// much less than those before. What leaks goes on as it began.
func (t *track) settles(first int64) bool {
	n := t.hist.n
	if n > patienceForFew {
		return false
	}
	usual := t.pace(n - 1 - max(0, first))
	for i := n - 2; i < n; i++ {
		from, to := t.hist.at(i-1), t.hist.at(i)
		if 2*float64(to.value-from.value) < usual*float64(to.step-from.step) {
			return true
		}
	}
	return false
}

// asks reports whether evidence on the growth of t is due.
func (q *doubt) asks(t *track, step int64) bool {
	g := t.growth
	switch {
	case g.proven || g.asked && !t.roseAfter(q.last.Step):
		return false
	case t.jumped():
		return false
	case !q.heard || step >= q.until:
		return true
	case g.rate.Mid >= 4*q.rate: // also for growth asked about before: it is another one by now
		return true
	case g.period > 1 && g.period != g.asking:
		_, ok := t.rises.regular(t.last().value, t.stride())
		return ok
	}
	return false
}

// fewJumps is how many rises without a period are waited for.
const fewJumps = 5

// jumped reports that a few short rises make up most of the growth: nothing is born in every step, and a period will show
// with the next ones.
func (t *track) jumped() bool {
	g := t.growth
	if g.period > 1 {
		return false
	}
	gain := t.last().value - g.base
	sum, n := int64(0), 0
	for _, e := range t.rises.list {
		if e.end-e.at >= row-2 {
			return false
		}
		if e.at >= g.first && 16*e.size >= gain {
			sum, n = sum+e.size, n+1
		}
	}
	return n > 0 && n <= fewJumps && 10*sum >= 7*gain
}

// roseAfter reports that the growth reached a new height after the step.
func (t *track) roseAfter(step int64) bool {
	at := t.growth.highest
	return at >= t.hist.oldest() && t.hist.at(at).step > step
}

// periodSteps is the period of g in steps.
func (t *track) periodSteps(g *growth) int64 {
	return max(1, int64(float64(g.period)*t.stride()+0.5))
}

// spacing is the period of g in steps, to the step where evaluations or epochs tell it: the windows of evidence are as long.
func (t *track) spacing(g *growth) int64 {
	p := t.periodSteps(g)
	every := t.rises.every.value
	if off := float64(every - p); g.period > 1 && every > 1 && len(t.rises.list) > 0 && t.rises.newest().marked && max(off, -off) <= t.stride() {
		return every
	}
	return p
}
