package profile

import (
	"cmp"
	"slices"
)

// Removable is what the operator of one line makes at the peak, for a short time.
type Removable struct {
	Origin
	Bytes int64 // at the peak
	Count int
	Saves int64 // by how much the peak would fall without it: then another moment may be the peak
	Lives int   // how many operators it lives for, at most
}

// Removables lists the temporaries that the peak would fall without, those that save most first.
func (p *Process) Removables(m *Memory) []Removable {
	index := map[Origin]int{}
	var found []Removable
	for _, b := range m.AtPeak() {
		if b.Category != Temporary || b.Op < 0 {
			continue
		}
		o := p.origin(b)
		n, ok := index[o]
		if !ok {
			n = len(found)
			index[o] = n
			found = append(found, Removable{Origin: o})
		}
		found[n].Bytes += b.Bytes
		found[n].Count++
		found[n].Lives = max(found[n].Lives, m.span(b))
	}
	for i := range found {
		found[i].Saves = m.Peak - m.peakWithout(func(b *Block) bool {
			return b.Category == Temporary && b.Op >= 0 && p.origin(b) == found[i].Origin
		})
	}
	found = slices.DeleteFunc(found, func(r Removable) bool { return r.Saves*leastPart <= m.Peak })
	slices.SortStableFunc(found, func(x, y Removable) int {
		return cmp.Or(cmp.Compare(y.Saves, x.Saves), cmp.Compare(y.Bytes, x.Bytes))
	})
	return found
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

// peakWithout is the peak that there would be without some blocks.
func (m *Memory) peakWithout(left func(*Block) bool) (peak int64) {
	var level int64
	for _, c := range m.Changes {
		if left(&m.Blocks[c.Block]) {
			continue
		}
		level += c.Bytes
		peak = max(peak, level)
	}
	return peak
}
