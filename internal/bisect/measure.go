package bisect

import (
	"github.com/torchleak/torchleak/internal/experiment"
	"github.com/torchleak/torchleak/internal/finding"
)

// How long the runs behind the first are, and from where on they are measured.
const (
	settled    = experiment.Free + 8 // steps: what is switched off first shows some steps later
	leastSteps = 56
	mostTimes  = 6 // periods of growth that are waited for
)

// growing returns the counter that shows the growth best, and the memory it belongs to. Where the recorder has judged a
// memory otherwise, what its counters do is no growth without end.
func growing(run experiment.Run) (experiment.Curve, finding.Memory, bool) {
	for _, c := range run.Curves {
		m, ok := memoryOf(run, c)
		if !ok || !suspect(m.Verdict) {
			continue
		}
		if c.Grows(settled, period(m)) {
			return c, m, true
		}
		if since := m.SinceStep; since != nil && *since > settled && c.Grows(*since, period(m)) {
			return c, m, true
		}
	}
	return experiment.Curve{}, finding.Memory{}, false
}

func suspect(v finding.Verdict) bool {
	return v == finding.Leak || v == finding.Outside || v == finding.Cycle || v == finding.Undecided
}

func memoryOf(run experiment.Run, c experiment.Curve) (finding.Memory, bool) {
	for _, r := range run.Reports {
		for _, m := range r.Memories {
			if r.Target.Rank == c.Rank && m.Name == c.Memory {
				return m, true
			}
		}
	}
	return finding.Memory{}, false
}

func period(m finding.Memory) int64 {
	if m.Period != nil {
		return max(1, *m.Period)
	}
	return 1
}

// measure takes the growth of the first run as the measure, and as many steps for the others as it takes to be sure of it.
func (h *hunt) measure(c experiment.Curve, m finding.Memory) {
	h.period = period(m)
	r := &h.result
	r.Series, r.Curve, r.From = c.Series, c, settled
	if m.SinceStep != nil {
		r.From = max(r.From, *m.SinceStep)
	}
	r.Steps = min(c.Last(), max(leastSteps, r.From+40, r.From+mostTimes*h.period))
	r.Rate, _ = c.Rate(r.From, c.Last(), h.period)
}
