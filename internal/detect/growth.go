package detect

import (
	"math"

	"github.com/torchleak/torchleak/internal/stats"
)

func median(xs []float64) float64 { return stats.Median(xs) }

// rate is how fast a series grew over a stretch, per step.
type rate struct {
	stats.Slope
	noise float64 // how far the series usually moves beside its growth
}

// blocks is how many windows a stretch is cut into to measure it.
const blocks = 24

// follow goes on with a growth that was noticed: measures it again from time to time and ends it when it stopped.
func (t *track) follow(at, value int64) {
	g := t.growth
	if value > g.record {
		g.pause = max(g.pause, at-g.highest)
		g.record, g.highest = value, at
	}
	if age := t.hist.n - g.first; age <= 16 || t.hist.n-g.rated >= age/4 {
		t.measure()
	}
	w := t.patience()
	if at-g.checked < max(1, w/8) {
		return
	}
	g.checked = at
	switch {
	case t.slowed():
		t.end(at, w)
	case !t.stopped(at, w):
		g.still = 0
	case g.still == 0:
		g.still = at
	case at-g.still >= w/2: // a drop at the edge of a window passes for an end for a moment
		t.end(at, w)
	}
}

// retime corrects the period of the growth: to that of a row of rises that make up most of it, or to every
// sample when it rises without a pause.
func (t *track) retime(at int64, rose bool) {
	g := t.growth
	if g.period > 1 && t.run >= 2*g.period+2 {
		g.period = 1
		return
	}
	if !rose || g.period > 1 {
		return
	}
	first, period, ok := t.rises.periodic()
	if !ok || first.at <= settle || at-period < t.hist.oldest() {
		return
	}
	gain := t.hist.at(at).value - t.hist.at(at-period).value
	if newest := t.rises.newest(); 10*newest.size >= 7*gain && newest.size >= first.size/2 {
		asked, proven, found := g.asked, g.proven, g.found
		t.begin(at, first.at, period)
		t.growth.asked, t.growth.proven, t.growth.found = asked, proven, found
	}
}

// slowed reports that the second half of the growth gained less than a quarter of what the first half did, as a
// cache does that has seen most of its keys.
func (t *track) slowed() bool {
	g := t.growth
	length := t.hist.n - g.first + 1
	if length < max(2*blocks, 8*g.period) {
		return false
	}
	ws, _ := t.hist.windows(g.first-1, t.hist.n, max(length/blocks, g.period))
	if len(ws) < 8 {
		return false
	}
	y := make([]float64, len(ws))
	for i, w := range ws {
		y[i] = float64(w.min)
	}
	y = stats.WithoutJumps(y)
	n := len(y) - 1
	before, after := y[n/2]-y[0], y[n]-y[n/2]
	return before > 2*g.rate.noise && 4*after < before
}

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

// stride is the usual number of steps from sample to sample.
func (t *track) stride() float64 {
	h := &t.hist
	from := max(h.oldest(), h.n-65)
	if h.n-1 <= from {
		return 1
	}
	return float64(h.at(h.n-1).step-h.at(from).step) / float64(h.n-1-from)
}

// stopped reports that the floor did not rise over the last three windows of length w. Two windows would let a
// single drop of the series pass for an end.
func (t *track) stopped(at, w int64) bool {
	g := t.growth
	a, b, c, ok := t.lastFloors(at+1, w)
	if !ok {
		return false
	}
	enough := g.rate.Mid * t.stride() * float64(w) / 4
	firstHalf, secondHalf := float64(b-a) > enough, float64(c-b) > enough
	if firstHalf && secondHalf && at-g.highest > w { // a drop took the record out of reach
		g.record, g.highest = t.hist.ceiling(at+1-w, at+1), at
	}
	return !firstHalf && !secondHalf
}

// lastFloors returns the floors of the three windows of length w before sample number to.
func (t *track) lastFloors(to, w int64) (a, b, c int64, ok bool) {
	h := &t.hist
	if to-3*w < t.growth.first-w {
		return 0, 0, 0, false // the growth is younger than two windows
	}
	if from := to - 3*w; from >= h.oldest() && from >= 0 {
		return h.floor(to-3*w, to-2*w), h.floor(to-2*w, to-w), h.floor(to-w, to), true
	}
	ws, _ := h.windows(max(0, to-3*w), to, w)
	if len(ws) < 3 {
		return 0, 0, 0, false
	}
	third := len(ws) / 3
	return lowest(ws[:third]), lowest(ws[third : 2*third]), lowest(ws[2*third:]), true
}

func lowest(ws []window) int64 {
	low := ws[0].min
	for _, w := range ws {
		low = min(low, w.min)
	}
	return low
}

// end closes the growth and keeps it if it is the largest so far.
func (t *track) end(at, w int64) {
	g := t.growth
	h := &t.hist
	plateau := h.floor(at+1-2*w, at+1)
	stop := max(g.first, h.oldest())
	for stop < at && h.at(stop).value < plateau {
		stop++
	}
	g.until = h.at(stop).step
	g.rate = t.rateBetween(g.first, stop+1, g.period)
	g.grown = min(plateau-t.before(g), int64(g.rate.Mid*float64(g.until-g.since+1)*5/4)) // a jump in between is no growth
	t.growth = nil
	if g.grown > 0 && (t.past == nil || t.past.grown < g.grown || g.proven) {
		if t.past != nil && t.past.proven {
			g.proven = true
		}
		t.past = g
	}
}

// before is the value ahead of the growth, or the oldest known.
func (t *track) before(g *growth) int64 {
	if i := g.first - 1; i >= t.hist.oldest() {
		return t.hist.at(i).value
	}
	ws, _ := t.hist.windows(g.first, t.hist.n, 1)
	if len(ws) == 0 {
		return t.last().value
	}
	return ws[0].min
}

// measure looks for the beginning of the growth again, with what is known now, and measures its rate.
func (t *track) measure() {
	g := t.growth
	g.rated = t.hist.n
	g.rate = t.rateBetween(g.first, t.hist.n, g.period)
	if g.first > t.hist.oldest() {
		// Later on the beginning is only ever moved back: the older the growth, the less a window tells of it.
		if first := t.onset(g.first); first < g.first || g.since == 0 && first != g.first {
			g.first = first
			g.rate = t.rateBetween(g.first, t.hist.n, g.period)
		}
		g.since = t.hist.at(g.first).step
	}
}

// rateBetween measures the growth from the sample before from to the one before to.
func (t *track) rateBetween(from, to, period int64) rate {
	from = max(0, from-1)
	length := to - from
	q := (length + blocks - 1) / blocks
	q = max(1, (q+period-1)/period*period)
	if length < 3*q {
		return t.rateOverPeriods(from, to, period)
	}
	ws, q := t.hist.windows(from, to, q)
	if len(ws) < 2 {
		return rate{}
	}
	x, y := make([]float64, len(ws)), make([]float64, len(ws))
	for i, w := range ws {
		x[i], y[i] = float64(w.step), float64(w.min)
	}
	s, _ := stats.TheilSen(x, stats.WithoutJumps(y))
	n := noise(ws, s.Mid*float64(q)*t.stride())
	return rate{s, max(n, t.spread(s.Mid))}
}

// spread is the noise of the newest windows of sixteen samples, whether or not they belong to the growth: what
// a few rises in a row cannot show.
func (t *track) spread(perStep float64) float64 {
	const k = 2 // of length 1 << (k + firstLevel)
	if len(t.hist.levels) <= k {
		return 0
	}
	ws := t.hist.last(k, 8)
	for len(ws) > 0 && ws[0].start < settle {
		ws = ws[1:]
	}
	if len(ws) == 0 {
		return 0
	}
	return noise(ws, perStep*t.stride()*float64(int64(1)<<(k+firstLevel)))
}

// noise is how far the values in a window usually spread, beyond what it gains.
func noise(ws []window, gain float64) float64 {
	beyond := make([]float64, len(ws))
	for i, w := range ws {
		beyond[i] = max(0, float64(w.max-w.min)-gain)
	}
	return median(beyond)
}

// rateOverPeriods measures a stretch too short to be cut into windows, from the ends of its whole periods.
func (t *track) rateOverPeriods(from, to, period int64) rate {
	last := to - 1
	first := max(from, last-max(1, (last-from)/period)*period)
	if first < t.hist.oldest() || first == last {
		return rate{}
	}
	a, b := t.hist.at(first), t.hist.at(last)
	s := float64(b.value-a.value) / float64(b.step-a.step)
	return rate{stats.Slope{Mid: s, Lo: s, Hi: s}, t.spread(s)}
}

// onset walks back from sample number first for as long as the floor rose as fast as it does now, lets one
// window in which it did not (a drop) pass, and then finds the sample in which the rise began.
func (t *track) onset(first int64) int64 {
	h, g := &t.hist, t.growth
	perSample := g.rate.Mid * t.stride()
	if perSample <= 0 {
		return first
	}
	w := max(4, g.period, int64(min(2*g.rate.noise/perSample, ringSize/4)))
	least := max(h.oldest(), 0) + w
	at := first
	for at >= least {
		if t.climbs(at, w, perSample) || at-w >= least && t.climbs(at-w, w, perSample) && t.climbs(at-2*w, w, perSample) {
			at -= w
			continue
		}
		break
	}
	return t.firstRise(max(h.oldest(), at-w), min(h.n, at+w), perSample, g)
}

// climbs reports that the floor of the w samples from at lies above the one of the w samples before, by at
// least half of what growth would give and not by a jump.
func (t *track) climbs(at, w int64, perSample float64) bool {
	if at-w < t.hist.oldest() {
		return false
	}
	gain, expected := float64(t.hist.floor(at, at+w)-t.hist.floor(at-w, at)), perSample*float64(w)
	return gain >= expected/2 && gain <= 8*expected+t.growth.rate.noise
}

// firstRise returns the number of the sample after the last one between from and to that still lay on the old
// floor. What lies behind a jump is another floor.
func (t *track) firstRise(from, to int64, perSample float64, g *growth) int64 {
	h := &t.hist
	usual := perSample * float64(g.period)
	for i := min(to, h.n) - 1; i > from; i-- {
		if change := h.at(i).value - h.at(i-1).value; float64(max(change, -change)) > 8*usual+g.rate.noise {
			from = i
		}
	}
	base := h.floor(from, from+max(2, (to-from)/2))
	bound := float64(base) + g.rate.noise + usual/4
	first := from + 1
	for i := from; i < to; i++ {
		if float64(h.at(i).value) <= bound {
			first = i + 1
		}
	}
	return min(first, h.n-1)
}

// steady reports growth in every window: what is asked of growth that no evidence speaks for. The windows are
// twelve or more, all but one in eight of them rise, none of the halves is much slower than the other, the
// last ones still rise, and the rise is far out of the noise.
func (t *track) steady(shortest int64) bool {
	g := t.growth
	const least = 12
	length := t.hist.n - g.first + 1
	q := max(shortest, g.period, length/16)
	if length < least*q {
		return false
	}
	ws, _ := t.hist.windows(g.first-1, t.hist.n, q)
	if len(ws) < least || g.rate.Lo < t.least/2 || g.rate.Mid < t.least {
		return false
	}
	y := make([]float64, len(ws))
	for i, w := range ws {
		y[i] = float64(w.min)
	}
	total := y[len(y)-1] - y[0]
	y = stats.WithoutJumps(y)
	inc := make([]float64, len(y)-1)
	falls := 0
	for i := range inc {
		if inc[i] = y[i+1] - y[i]; inc[i] <= 0 {
			falls++
		}
	}
	n := len(inc)
	mid, half := median(inc), n/2
	return falls <= n/8 && inc[n-1] > 0 && inc[n-2] > 0 &&
		stats.MAD(inc) <= mid/2 &&
		2*median(inc[half:]) >= median(inc[:half]) &&
		total > 0 && y[n]-y[0] >= 2*g.rate.noise && !math.IsNaN(mid)
}

// growsSteadily is steady, asked again only when the growth became a sixteenth longer.
func (t *track) growsSteadily(shortest int64) bool {
	g := t.growth
	if n := t.hist.n; n-g.tested > (n-g.first)/16 {
		g.tested, g.steady = n, t.steady(shortest)
	}
	return g.steady
}

// rateSince measures the series from a step on.
func (t *track) rateSince(step int64) rate {
	h := &t.hist
	from := h.oldest()
	for from < h.n && h.at(from).step < step {
		from++
	}
	if h.n-from < 3 {
		return rate{}
	}
	return t.rateBetween(from+1, h.n, 1)
}
