package diagnose

import (
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
)

// A share of a memory's growth that is explained well enough to look no further.
const enough = 0.5

// facts returns candidates for calls that were seen and whose memory no Python object refers to, where the
// holders found do not explain the growth.
func facts(l *locate.Locator, e *evidence.Evidence, m finding.Memory, found []*candidate) []*candidate {
	var more []*candidate
	for _, f := range [...]struct{ what, rule string }{
		{"backward.create_graph", "TL107"},
		{"jit_trace", "TL121"},
		{"new_group", "TL116"},
		{"profiler_on", "TL118"},
		{"anomaly_on", "TL118"},
	} {
		call := called(e, f.what)
		if call == nil {
			continue
		}
		if withRule(found, f.rule) != nil {
			// Something of it is held in sight: the call is the statement to change.
			if p, ok := l.At(call.Frames); ok {
				for _, c := range found {
					if c.rule == f.rule {
						c.call, c.place = call, p
					}
				}
			}
			continue
		}
		if explained(m, found) >= enough {
			continue
		}
		c := &candidate{memory: m, evidence: e, rule: f.rule, call: call}
		c.place, _ = l.At(call.Frames)
		more = append(more, c)
		break // one such fact takes what is left; the next run shows whether there is another
	}
	return more
}

// named leaves out tensors that nothing in Python was found to refer to, where holders with a name explain the growth: a
// census that ran out of time takes tensors for new and lost that are neither.
func named(m finding.Memory, found []*candidate) []*candidate {
	var kept []*candidate
	for _, c := range found {
		if c.rule != "TL130" {
			kept = append(kept, c)
		}
	}
	if explained(m, kept) >= enough {
		return kept
	}
	return found
}

func withRule(found []*candidate, rule string) *candidate {
	for _, c := range found {
		if c.rule == rule {
			return c
		}
	}
	return nil
}

// explained is the share of a memory's growth that the candidates weigh, 1 at most; 0 when the rate is not known and
// nothing was found.
func explained(m finding.Memory, found []*candidate) float64 {
	weight := 0.0
	for _, c := range found {
		weight += c.weight()
	}
	if r := rate(m); r > 0 {
		return min(weight/float64(r), 1)
	}
	if weight > 0 {
		return 1
	}
	return 0
}
