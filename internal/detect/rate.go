package detect

import (
	"math"

	"github.com/torchleak/torchleak/internal/stats"
)

// rate is how fast a series grew over a stretch, per step.
type rate struct {
	stats.Slope
	noise float64 // how far the series usually moves beside its growth
}

// measure measures the rate of the growth so far.
func (t *track) measure() {
	t.growth.rated = t.hist.n
	t.growth.rate = t.rateUntil(t.hist.n)
}

// rateUntil measures the growth up to sample number to: by the floors of its windows, or by its ends while the
// windows are fewer than three.
func (t *track) rateUntil(to int64) rate {
	g := t.growth
	ws, length := g.ladder.windows(1, to)
	_, alike := t.rises.newestTwo()
	if len(ws) < 3 || len(ws) < 6 && g.period > 1 && alike {
		s := t.endToEnd(min(to, t.hist.n) - 1)
		return rate{stats.Slope{Mid: s, Lo: s, Hi: s}, t.spread(s)}
	}
	r := rateOf(ws, float64(length)*t.stride())
	r.noise = max(r.noise, t.spread(r.Mid))
	return r
}

// endToEnd is what the series gained from the base to sample number at, per step of the periods begun; of periodic growth
// whose newest two rises are alike, it is they: what a training takes at its start is none of it.
func (t *track) endToEnd(at int64) float64 {
	g := t.growth
	last, cycle := t.hist.at(at), float64(g.period)*t.stride()
	if size, ok := t.rises.newestTwo(); ok && g.period > 1 {
		return float64(size) / cycle
	}
	periods := float64(int64((float64(last.step-g.since)+t.stride())/cycle + 0.999))
	return float64(last.value-g.base) / (max(1, periods) * cycle)
}

// rateOf measures windows of the given length in steps.
func rateOf(ws []window, steps float64) rate {
	if len(ws) < 2 {
		return rate{}
	}
	x, y := floors(ws)
	s, _ := stats.TheilSen(x, stats.WithoutJumps(x, y))
	return rate{s, noise(ws, s.Mid*steps)}
}

// noise is how far the values in a window usually spread, beyond what it gains.
func noise(ws []window, gain float64) float64 {
	beyond := make([]float64, len(ws))
	for i, w := range ws {
		beyond[i] = max(0, float64(w.max-w.min)-gain)
	}
	return stats.Median(beyond)
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

// stride is the usual number of steps from sample to sample; a gap now and then does not move it.
func (t *track) stride() float64 { return float64(max(1, t.steps.value)) }

// majority finds the value that most of a row have, by votes for and against.
type majority struct{ value, votes int64 }

func (m *majority) add(v int64) {
	switch {
	case v == m.value:
		m.votes = min(m.votes+1, 32)
	case m.votes == 0:
		m.value, m.votes = v, 1
	default:
		m.votes--
	}
}

// rateSince measures the series, growing or not, from a step on.
func (t *track) rateSince(step int64) rate {
	h := &t.hist
	from := h.oldest()
	for from < h.n && h.at(from).step < step {
		from++
	}
	if h.n-from < 3 {
		return rate{}
	}
	l := newLadder(1)
	for i := from; i < h.n; i++ {
		l.add(i, h.at(i))
	}
	return rateOf(l.done, float64(l.length)*t.stride())
}

// growsSteadily is everyWindow, asked again only when the growth became a sixteenth longer.
func (t *track) growsSteadily(shortest int64) bool {
	g := t.growth
	if n := t.hist.n; n-g.tested > (n-g.first)/16 {
		g.tested, g.steady = n, t.everyWindow(shortest)
	}
	return g.steady
}

// everyWindow reports growth in every window of at least shortest samples: what is asked of growth that no
// evidence speaks for. The windows are twelve or more, all but one in eight of them rise, by like amounts, the
// second half gains as much as the first or nearly so, the last ones still rise, and the rise is far out of the
// noise and of the teeth there were. It is no row of teeth with the falls taken for jumps: most of the gain is there.
func (t *track) everyWindow(shortest int64) bool {
	const least = 12
	g := t.growth
	ws, _ := g.ladder.windows(shortest, t.hist.n)
	if len(ws) < least || g.rate.Lo < t.least/2 || g.rate.Mid < t.least {
		return false
	}
	x, raw := floors(ws)
	y := stats.WithoutJumps(x, raw)
	inc := make([]float64, len(y)-1) // a step: windows in which evidence was gathered are longer
	falls := 0
	for i := range inc {
		if inc[i] = (y[i+1] - y[i]) / (x[i+1] - x[i]); inc[i] <= 0 {
			falls++
		}
	}
	n := len(inc)
	first, second := usual(x[:n/2+1], inc[:n/2]), usual(x[n/2:], inc[n/2:])
	gain := raw[n] - raw[0]
	return falls <= n/8 && inc[n-1] > 0 && inc[n-2] > 0 &&
		stats.MAD(inc) <= stats.Median(inc)/2 &&
		4*second >= 3*first &&
		gain >= 2*g.rate.noise && gain > 2*float64(t.teeth.height) && 4*gain >= 3*(y[n]-y[0])
}

// usual is the median of what windows that begin at x gained a step. Those in which steps were left out count only where there are
// hardly others: the probe was at work there, and not all that it takes is known.
func usual(x, inc []float64) float64 {
	const few = 3
	shortest := math.Inf(1)
	for i := range inc {
		shortest = min(shortest, x[i+1]-x[i])
	}
	var whole []float64
	for i := range inc {
		if 8*(x[i+1]-x[i]) <= 9*shortest {
			whole = append(whole, inc[i])
		}
	}
	if len(whole) < few {
		return stats.Median(inc)
	}
	return stats.Median(whole)
}
