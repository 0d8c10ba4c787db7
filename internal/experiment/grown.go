package experiment

import "github.com/torchleak/torchleak/internal/finding"

// Settled is the step from which on growth is measured: what is switched off first shows some steps later, and a
// training's first steps are not like the others.
const Settled = Free + 8

// Which part of the growth that is left counts as gone.
const GoneBelow = 0.25

// Growth is how a run's memory grows.
type Growth struct {
	Curve  Curve
	Period int64   // steps between rises
	From   int64   // step behind which it is measured
	To     int64   // and up to which
	Rate   float64 // growth a step
}

// Left is the part of the growth that a rate is: 0 gone, 1 all of it.
func (g Growth) Left(rate float64) float64 { return min(1, max(0, rate/g.Rate)) }

// New returns a counter that grows in run, by the recorder's judgement too, and grew less than half as much in base.
func New(base, run Run, g Growth) (Curve, bool) {
	for _, c := range run.Curves {
		m, ok := memoryOf(run, c)
		if !ok || !Leaks(m.Verdict) || !c.Grows(g.From, g.Period) {
			continue
		}
		rate, _ := c.Rate(g.From, g.To, g.Period)
		before := 0.0
		if old, ok := Find(base.Curves, c.Series); ok {
			before, _ = old.Rate(g.From, g.To, g.Period)
		}
		if before < rate/2 {
			return c, true
		}
	}
	return Curve{}, false
}

// Growing returns the counter that shows growth best, in a run that was judged by its counters: one whose memory leaks by
// the recorder's judgement, or else one that may. Where they ended their growth, or are those of a cache, it is none without
// end.
func Growing(run Run) (Growth, bool) {
	if g, ok := growing(run, func(_ Curve, v finding.Verdict) bool { return Leaks(v) }); ok {
		return g, true
	}
	return growing(run, suspect)
}

// growing returns the first counter of the memories wanted that grows: a device's, or of those of this machine's memory
// the one that grows most.
func growing(run Run, wanted func(Curve, finding.Verdict) bool) (best Growth, found bool) {
	for _, c := range run.Curves {
		m, ok := memoryOf(run, c)
		if !ok || !wanted(c, m.Verdict) {
			continue
		}
		g, ok := growth(c, m)
		switch {
		case !ok:
		case !found:
			best, found = g, true
		case best.Curve.main && c.main && !best.Curve.device && g.Rate > best.Rate:
			best = g
		}
	}
	return best, found
}

// growth measures how a counter of a memory grows; ok is false where it does not.
func growth(c Curve, m finding.Memory) (g Growth, ok bool) {
	g = Growth{Curve: c, Period: 1, From: Settled, To: c.Last()}
	if m.Period != nil {
		g.Period = max(1, *m.Period)
	}
	if m.SinceStep != nil {
		g.From = max(g.From, *m.SinceStep)
	}
	if !c.Grows(Settled, g.Period) && !c.Grows(g.From, g.Period) {
		return g, false
	}
	g.Rate, _ = c.Rate(g.From, g.To, g.Period)
	return g, g.Rate > 0
}

// Gone reports that at most a small part of the growth is left in the counter, such as a history of numbers.
func (g Growth) Gone(c Curve) bool {
	rate, measured := g.Rest(c)
	return measured && g.Left(rate) <= GoneBelow
}

// Judged reports whether a run was judged, and not to leak in the memory of the counter.
func (g Growth) Judged(run Run, c Curve) bool {
	m, judged := memoryOf(run, c)
	return judged && !Leaks(m.Verdict)
}

// Rest is what c still grows by a step, where g was seen before. Gathering evidence makes the heap larger once or twice,
// and that is no growth.
func (g Growth) Rest(c Curve) (rate float64, ok bool) { return c.rate(g.From, g.To, g.Period, 8) }

// Leaks reports whether a memory with that verdict grows without end.
func Leaks(v finding.Verdict) bool {
	return v == finding.Leak || v == finding.Outside || v == finding.Cycle
}

// suspect reports that a memory may grow without end. Judged by counters alone, slow growth of live bytes counts as
// healthy, since there is nobody to say what it is; from manifold of what matters on it is looked into.
func suspect(c Curve, v finding.Verdict) bool {
	if v == finding.Healthy && (c.Name == "allocated" || c.Name == "used") {
		rate, ok := c.Rate(Settled, c.Last(), 1)
		return ok && rate >= manifold*c.least
	}
	return Leaks(v) || v == finding.Undecided
}

const manifold = 4

func memoryOf(run Run, c Curve) (finding.Memory, bool) {
	for _, r := range run.Reports {
		for _, m := range r.Memories {
			if r.Target.Rank == c.Rank && m.Name == c.Memory {
				return m, true
			}
		}
	}
	return finding.Memory{}, false
}
