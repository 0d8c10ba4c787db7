package simulate

import (
	"cmp"
	"maps"
	"slices"
)

// layout returns all segments by address as a snapshot would show them.
func (a *allocator) layout() []Segment {
	var segments []Segment
	for _, b := range slices.SortedFunc(maps.Values(a.heads), func(x, y *block) int { return cmp.Compare(x.addr, y.addr) }) {
		segments = append(segments, runs(b)...)
	}
	return segments
}

// runs cuts a chain of blocks into segments: one, or one for each mapped range.
func runs(b *block) (segments []Segment) {
	open := false
	for ; b != nil; b = b.next {
		if b.unmapped {
			open = false
			continue
		}
		if !open {
			segments = append(segments, Segment{Addr: b.addr, Stream: b.shelf.lane.stream, Pool: b.shelf.lane.pool,
				Small: b.shelf.small, Expandable: b.region != nil})
			open = true
		}
		s := &segments[len(segments)-1]
		s.Size += b.size
		s.Blocks = append(s.Blocks, Block{Addr: b.addr, Size: b.size, Requested: b.requested, Live: b.allocated || b.pending, Pending: b.pending})
	}
	return segments
}
