package diagnose

import (
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
)

// few is the share of a memory's growth below which what was found is something beside the cause.
const few = 0.2

// gather returns the candidates for a memory out of all evidence of the run, and what holders with a bound gained per
// step. The best evidence speaks first; older evidence is asked only as long as what was found explains little: growth
// may have paused while the newer one looked, or come in periods that it was too short for.
func gather(in Input, m finding.Memory) (found []*candidate, limited float64) {
	for _, e := range relevant(in.Evidence, m) {
		set, bound := look(in.Locator, e, m)
		limited = max(limited, bound)
		found = add(found, set)
		share := explained(m, strongOnly(found))
		if share >= enough || share >= few && spansPeriod(e, m) {
			break
		}
	}
	return strong(m, found), limited
}

// look returns the candidates of one piece of evidence.
func look(l *locate.Locator, e *evidence.Evidence, m finding.Memory) (found []*candidate, limited float64) {
	found, limited = holders(e, m)
	for _, c := range found {
		c.place = bestPlace(l, c)
		c.classify(l)
	}
	found = strong(m, causes(found))
	groupsAdded(l, e, found)
	return found, limited
}

// add appends what is not known yet: the newer evidence knows a holder better.
func add(known, more []*candidate) []*candidate {
	all := known
	for _, c := range more {
		news := true
		for _, k := range known {
			news = news && !c.same(k)
		}
		if news {
			all = append(all, c)
		}
	}
	return all
}

// same reports whether two candidates of different evidence are about one thing.
func (c *candidate) same(k *candidate) bool {
	switch {
	case c.evidence == k.evidence:
		return false
	case c.holder != nil && k.holder != nil:
		return c.holder.Path == k.holder.Path && c.holder.Kind == k.holder.Kind || sameStatement(c.place, k.place)
	case c.cycle != nil && k.cycle != nil:
		return c.cycle.Path == k.cycle.Path
	}
	return c.rule == k.rule && c.holder == nil && k.holder == nil
}

// spansPeriod reports whether growth had to show in the evidence: a window was as long as the period that the memory
// grows in.
func spansPeriod(e *evidence.Evidence, m finding.Memory) bool {
	return m.Period == nil || steps(e) >= *m.Period
}

// covered reports whether some evidence spans a period of the memory.
func covered(in Input, m finding.Memory) bool {
	for _, e := range relevant(in.Evidence, m) {
		if spansPeriod(e, m) {
			return true
		}
	}
	return false
}
