package profile

import (
	"cmp"
	"maps"
	"slices"
)

// Reason says why memory at the peak may not be needed there.
type Reason string

// The reasons.
const (
	Short  Reason = "temporary" // made for a few operators
	Kept   Reason = "kept"      // made in an earlier step, and not used since the one of the peak began
	Unused Reason = "unused"    // held through backward, no operator of which used it
)

// Removable is what the operator of one line makes, and what may not be needed at the peak.
type Removable struct {
	Origin
	Why   Reason
	Bytes int64 // at the peak
	Count int
	Saves int64 // by how much the peak would fall without it: then another moment may be the peak
	Lives int   // how many operators it lives for, at most
}

// Removables lists what the peak would fall without, what saves most first; of several reasons for the same the one that
// saves most.
func (p *Process) Removables(m *Memory) []Removable {
	alike := map[Origin][]*Block{}
	for i := range m.Blocks {
		o := p.origin(&m.Blocks[i])
		alike[o] = append(alike[o], &m.Blocks[i])
	}
	peak := m.peakIf(nil, nil)
	best := map[Origin]Removable{}
	for o, blocks := range alike {
		for _, why := range []Reason{Short, Unused, Kept} {
			r := p.removable(m, blocks, why)
			if r.Count == 0 {
				continue
			}
			r.Origin, r.Why = o, why
			r.Saves = peak - m.peakIf(blocks, func(b *Block) int { return p.needed(m, b, why) })
			if r.Saves > best[o].Saves && r.Saves*leastPart > m.Peak {
				best[o] = r
			}
		}
	}
	return slices.SortedFunc(maps.Values(best), func(x, y Removable) int {
		return cmp.Or(cmp.Compare(y.Saves, x.Saves), cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(x.Operator, y.Operator),
			cmp.Compare(x.Site.File, y.Site.File), cmp.Compare(x.Site.Line, y.Site.Line), cmp.Compare(x.Module, y.Module), cmp.Compare(x.Of, y.Of))
	})
}

// removable sums up which of these blocks are there at the peak and not needed for one reason.
func (p *Process) removable(m *Memory, blocks []*Block, why Reason) (r Removable) {
	for _, b := range blocks {
		if b.at(m.PeakAt) && p.needed(m, b, why) <= m.PeakAt {
			r.Bytes += b.Bytes
			r.Count++
			r.Lives = max(r.Lives, m.span(b))
		}
	}
	return r
}

// needed is the change behind which a block is not needed, if for that reason: its birth or the end of its step. Else it
// is its end.
func (p *Process) needed(m *Memory, b *Block, why Reason) int {
	switch {
	case b.Op < 0:
	case why == Short && b.Category == Temporary, why == Unused && b.Unused:
		return b.Born
	case why == Kept && (b.Category == Activation || b.Category == Input):
		if step := p.StepOf(b.Op); step < len(p.StepEnds) && b.Last < p.StepEnds[step] {
			return min(m.ends[step], b.Died)
		}
	}
	return b.Died
}

// leastPart of the peak has to be saved to be worth a line.
const leastPart = 1000

// span is how many operators a block lives for.
func (m *Memory) span(b *Block) int {
	last := m.Changes[len(m.Changes)-1].Op
	if b.Died < len(m.Changes) {
		last = m.Changes[b.Died].Op
	}
	return max(1, last-b.Op)
}

// peakIf is the peak that there would be if these blocks ended with an earlier change than they do. The first of several
// steps is left out: what it finds there from the step before came from nobody knows where.
func (m *Memory) peakIf(blocks []*Block, ends func(*Block) int) (peak int64) {
	from := 0
	if len(m.ends) > 1 {
		from = m.ends[0]
	}
	changes := make([]int64, len(m.Changes)+1)
	for i, c := range m.Changes {
		changes[i] = c.Bytes
	}
	for _, b := range blocks {
		changes[ends(b)] -= b.Bytes
		changes[b.Died] += b.Bytes
	}
	var level int64
	for i, n := range changes[:len(m.Changes)] {
		level += n
		if i >= from {
			peak = max(peak, level)
		}
	}
	return peak
}
