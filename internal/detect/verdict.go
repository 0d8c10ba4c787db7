package detect

import (
	"cmp"
	"fmt"
	"math"

	"github.com/torchleak/torchleak/internal/finding"
)

// enough is how many samples a memory must stay flat to be called healthy.
const enough = 20

// ruling is a verdict with what it rests on.
type ruling struct {
	verdict finding.Verdict
	track   *track  // whose growth it is about
	growth  *growth // nil: none
	why     string
	need    int64 // undecided: steps
}

// judge says what the memory does, as far as that is known now.
func (d *Detector) judge() ruling {
	if until, ok := d.fullSince(); ok {
		return d.stoodStill(until)
	}
	if r, ok := d.leaks(); ok {
		return r
	}
	if t, ok := d.outsideGrows(); ok {
		return ruling{verdict: finding.Outside, track: t, growth: t.growth, why: "the device fills up outside the allocator: driver used minus reserved grows while allocated does not"}
	}
	if r, ok := d.cycles(); ok {
		return r
	}
	for _, test := range []func() (ruling, bool){d.awaitsBound, d.fillsUp, d.reserve, d.full, d.ended, d.unproven, d.copies} {
		if r, ok := test(); ok {
			return r
		}
	}
	t := d.main()
	if t.seen() == 0 && d.facts.samples >= enough {
		return ruling{verdict: finding.Undecided, why: d.main().series.name + " memory cannot be read here"}
	}
	if need := d.options.Warmup + enough - t.seen(); t.seen() < enough {
		return ruling{verdict: finding.Undecided, why: "too few steps", need: max(1, need)}
	}
	if t.teeth.count >= 3 || t.growth != nil && t.teeth.flat > 0 {
		return ruling{verdict: finding.Healthy, why: "rises and falls back to the same floor"}
	}
	if t.growth != nil && t.growth.asked && d.grows(t) {
		return ruling{verdict: finding.Healthy, why: "grows, but has gained little so far, and nothing that is born in a step was found alive later"}
	}
	return ruling{verdict: finding.Healthy, why: "does not grow after warm-up"}
}

// leaks looks for growth that goes on and is proven, by survivors or, where they cannot be seen, by
// growth in every window.
func (d *Detector) leaks() (ruling, bool) {
	for _, t := range d.tracks {
		s, g := t.series, t.growth
		if s.role > secondary || !d.grows(t) || d.bounded(t, g) {
			continue
		}
		if s.trickles(g) && !g.hooks && !t.growsSteadily(8) { // a list per epoch creeps as far
			continue
		}
		if s.role == primary && g.rate.Mid < 2*leastHost && t.last().value <= g.base {
			continue
		}
		r := ruling{verdict: finding.Leak, track: t, growth: g}
		switch {
		case g.proven:
			r.why = fmt.Sprintf("%s since step %d, and what is born in a step is still alive many steps later", s.growing(), g.since)
		case d.doubt.last.Cycle || d.device() && d.doubt.heard || d.heldBack(g):
			continue
		case s.role == primary && t.last().value-g.base <= d.options.Slack:
			continue
		case g.rate.Mid < cmp.Or(s.alone, s.least) || !d.steadily(t):
			continue
		case d.doubt.heard && g.rate.Mid < s.unexplained:
			continue
		case d.fills:
			continue
		case d.options.Kind == "worker" && d.hoards:
			r.why = fmt.Sprintf("%s with its batches, and the source of its data set keeps what it hands out", s.growing())
		case d.options.Kind == "worker":
			r.why = fmt.Sprintf("%s with its batches; what holds it is not looked for in a worker, so this rests on growth only", s.growing())
		case d.doubt.heard:
			r.why = fmt.Sprintf("%s in every window since step %d; no surviving tensor explains it, so this rests on growth only", s.growing(), g.since)
		default:
			r.why = fmt.Sprintf("%s in every window since step %d; no evidence could be had, so this rests on growth only", s.growing(), g.since)
		}
		return r, true
	}
	return ruling{}, false
}

// grows reports that the series of t grows now, by an amount that matters and beyond the teeth it has.
func (d *Detector) grows(t *track) bool {
	return t.growth != nil && t.growth.rate.Mid >= t.least && !t.withinTeeth(d.device())
}

// steadily reports growth in every window, long enough for the kind of series.
func (d *Detector) steadily(t *track) bool {
	window, lasts := cmp.Or(t.series.window, usualWindow), t.series.lasts
	if d.facts.collections == 0 {
		lasts *= 2
	}
	if d.hoards && t.series.role == primary { // its cause is known: it need not be told from a cache
		window = 2
	}
	return t.hist.n-t.growth.first >= lasts && t.growsSteadily(window)
}

// bounded reports that the holder will let go by itself and that growth has not gone far past that point.
func (d *Detector) bounded(t *track, g *growth) bool {
	b := d.doubt.last.Bound
	if b <= 0 || g.since >= d.doubt.last.Step {
		return false
	}
	times := (t.last().step - g.since) / t.periodSteps(g)
	return times <= 2*b+firstWait || t.last().value-g.base <= 2*b
}

func (d *Detector) awaitsBound() (ruling, bool) {
	for _, t := range d.tracks {
		if g := t.growth; t.series.role <= secondary && d.grows(t) && d.bounded(t, g) {
			return ruling{verdict: finding.Bounded, track: t, growth: g, why: "grows, but what holds it lets go of the oldest beyond a fixed size"}, true
		}
	}
	return ruling{}, false
}

// cycles looks for garbage that waits for the collector.
func (d *Detector) cycles() (ruling, bool) {
	t := d.main()
	r := ruling{verdict: finding.Cycle, track: t}
	c := d.doubt.last
	seen := c.Cycle && !c.Survivors
	if seen && (d.grows(t) && explains(c, t.growth.rate.Mid) || t.teeth.count > 0 && explains(c, t.teeth.rate())) {
		r.why = "garbage reference cycles hold memory until Python's collector runs"
		return r, true
	}
	tall := d.device() || t.teeth.height >= 64<<10
	if tall && t.teeth.byCollector() && 2*d.facts.collections <= d.facts.samples {
		r.why = "rises, and falls when Python's collector runs: garbage reference cycles hold it"
		return r, true
	}
	return ruling{}, false
}

// explains reports that what evidence found can be a good part of growth by perStep; a cost that is not known can.
func explains(c Confirmation, perStep float64) bool {
	return c.BytesPerStep == 0 || 8*float64(c.BytesPerStep) >= perStep
}

// ended looks for growth that stopped and was large, or was proven.
func (d *Detector) ended() (ruling, bool) {
	for _, t := range d.tracks {
		s, g := t.series, t.past
		if s.role > secondary || g == nil {
			continue
		}
		if g.proven || s.role == primary && 20*g.grown >= d.facts.last-g.grown {
			return ruling{verdict: finding.Bounded, track: t, growth: g, why: d.stoppedWhy(g)}, true
		}
	}
	return ruling{}, false
}

// stoodStill judges growth of the judged series that came to an end while that was not read; until is 0 where it is not known when.
func (d *Detector) stoodStill(until int64) ruling {
	g := *d.main().growth
	g.until = until
	r := ruling{verdict: finding.Bounded, track: d.main(), growth: &g, why: d.stoppedWhy(&g)}
	if until == 0 {
		r.why = fmt.Sprintf("grew from step %d on and stopped; it was read too seldom to say when", g.since)
	}
	return r
}

func (d *Detector) stoppedWhy(g *growth) string {
	if d.options.Kind == "worker" { // its clock is another one
		return "grew and stopped"
	}
	return fmt.Sprintf("grew from step %d on and stopped at step %d", g.since, g.until)
}

// unproven judges growth that goes on without proof.
func (d *Detector) unproven() (ruling, bool) {
	t := d.main()
	g := t.growth
	if !d.grows(t) || t.seen() < enough {
		return ruling{}, false
	}
	share := float64(t.last().value-g.base) / float64(max(1, g.base))
	if g.asked && share <= 0.05 || d.doubt.heard && !d.device() && share <= 0.01 {
		return ruling{}, false
	}
	if !d.device() && share <= 0.01 && d.onlyJustBegan(t, g) {
		return ruling{}, false
	}
	r := ruling{verdict: finding.Undecided, track: t, growth: g}
	switch {
	case g.emptier != "":
		r.why = fmt.Sprintf("grows, but what holds it is emptied or cut down at %s: no leak is proven until it outlasts that", g.emptier)
		r.need = g.since + t.outlasting() - t.last().step
	case g.asked:
		r.why = "grows, but nothing that is born in a step was found alive later"
		r.need = t.patience()
	default:
		r.why = fmt.Sprintf("grows since step %d; too few steps to tell whether it goes on", g.since)
		if d.options.Kind == "worker" { // its clock is another one
			r.why = "grows; too few batches to tell whether it goes on"
		}
		r.need = 12*max(4, t.periodSteps(g)) - (t.last().step - g.since)
	}
	r.need = max(r.need, 8)
	return r, true
}

// onlyJustBegan reports growth of the last few steps, behind a flat stretch several times as long. A heap goes up by a
// few kilobytes now and then: a run that ends there was flat.
func (d *Detector) onlyJustBegan(t *track, g *growth) bool {
	return 4*(t.last().step-g.since) < g.since-d.options.Warmup
}

// Verdict is the verdict now.
func (d *Detector) Verdict() finding.Verdict { return d.judge().verdict }

// Memory returns the verdict now with all that is known of the memory.
func (d *Detector) Memory() finding.Memory {
	r := d.judge()
	m := finding.Memory{Name: d.name, Kind: d.options.Kind, Verdict: r.verdict, Why: r.why, Copies: r.track != nil && r.track.series.name == "copied"}
	m.Steps, m.Series = d.curve.drawn(d.kind.drawn())
	if m.Steps == nil {
		m.Steps = []int64{}
	}
	if d.main().seen() > 0 {
		m.FirstBytes, m.LastBytes, m.PeakBytes = pointer(d.facts.first), pointer(d.facts.last), pointer(d.facts.peak)
	}
	if limit := d.options.Limit; limit > 0 {
		m.LimitBytes = &limit
	} else if d.facts.total > 0 {
		m.LimitBytes = pointer(d.facts.total)
	}
	if m.Copies {
		m.LastBytes, m.PeakBytes = pointer(d.facts.private), pointer(max(d.facts.peak, d.facts.private))
	}
	if r.need > 0 {
		m.NeedSteps = pointer(r.need)
	}
	if g := r.growth; g != nil {
		m.SinceStep = pointer(g.since)
		// Growth in every reading is growth in every step, however seldom it is read.
		if p := r.track.periodSteps(g); p > 1 && g.period > 1 {
			p = d.epochs.instead(d.evaluations.instead(p, r.track.stride()), r.track.stride())
			m.Period = pointer(p)
		}
		if g.until > 0 {
			m.UntilStep = pointer(g.until)
		}
		d.price(&m, r)
	}
	if r.verdict == finding.Healthy {
		if slow, ok := d.main().creeping(); ok {
			m.Why = "grows in nearly every part of the run, by too little a step to matter"
			m.BytesPerStep, m.Interval = priced(slow)
		}
	}
	as := r.verdict
	if as == finding.Bounded {
		as = finding.Leak // it was called that while it grew
	}
	if at := d.found[as]; at > 0 {
		m.DetectedAtStep = pointer(at)
	}
	return m
}

// price fills in what the growth costs a step. A growing count is priced by the pages that grow with it; where
// those do not grow either, the cost is not known.
func (d *Detector) price(m *finding.Memory, r ruling) {
	cost := r.growth.rate
	if pages := r.track.series.price; pages != "" {
		cost = d.track(pages).rateSince(r.growth.since)
	} else if r.track.series.role == primary && d.options.Kind == "host" {
		cost = d.withBlocks(cost, r.growth.since)
	}
	if cost.Mid <= 0 {
		return
	}
	if m.Verdict == finding.Leak || m.Verdict == finding.Outside {
		d.forecast(m, cost.Mid)
	}
	if m.Verdict == finding.Outside {
		cost = d.withoutOthers(cost, r.growth.since)
	}
	m.BytesPerStep, m.Interval = priced(cost)
}

// withBlocks adds to the growth of the heap that of Python's small objects, which lie beside it: as much of the pages as the heap does not
// explain, and as such objects can take.
func (d *Detector) withBlocks(heap rate, since int64) rate {
	blocks := d.track(pythonBlocks.name)
	if blocks == nil || blocks.growth == nil || blocks.growth.rate.Mid < 2*manyBlocks {
		return heap
	}
	pages := d.track(pythonBlocks.price).rateSince(since)
	if beside := min(pages.Mid-heap.Mid, largestBlock*blocks.growth.rate.Mid); beside > 0 {
		heap.Lo, heap.Mid, heap.Hi = heap.Lo+beside, heap.Mid+beside, heap.Hi+beside
	}
	return heap
}

// priced is a rate as a report gives it.
func priced(r rate) (perStep *int64, interval *[2]int64) {
	return pointer(int64(math.Round(r.Mid))), &[2]int64{int64(math.Round(r.Lo)), int64(math.Round(r.Hi))}
}

// Warmup is the number of steps that passed before the memory had settled: the last of the first steps that
// moved it by more than a hundredth, before any growth that is still going on.
func (d *Detector) Warmup() int64 {
	w := max(d.options.Warmup, min(d.facts.changedLast, heldSettle), min(settle, d.facts.steps))
	if g := d.main().growth; g != nil && g.since > 0 {
		w = min(w, max(d.options.Warmup, g.since-1))
	}
	return w
}

func pointer(v int64) *int64 { return &v }
