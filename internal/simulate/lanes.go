package simulate

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// lane tells the pool of entry i. Releases before 2.12 do not write it: it is that of the final segment around
// the address, from when on that segment was there.
func (p *program) lane(i int) uint16 {
	e := &p.trace.Events[i]
	pool := e.Pool
	if len(p.private) > 0 && pool == (snapshot.Pool{}) {
		if j, ok := containing(p.private, e.Addr); ok && i > p.since[j] {
			pool = p.private[j].Pool
		}
	}
	return p.laneIndex(lane{pool, e.Stream})
}

// findPrivate lists the final segments of private pools and since when they are there.
func (p *program) findPrivate() {
	for _, s := range p.trace.Segments {
		if s.Pool != (snapshot.Pool{}) {
			p.private = append(p.private, s)
		}
	}
	slices.SortFunc(p.private, func(x, y Segment) int { return cmp.Compare(x.Addr, y.Addr) })
	p.since = slices.Repeat([]int{-1}, len(p.private))
	if len(p.private) == 0 {
		return
	}
	for i, e := range p.trace.Events {
		if e.Kind != snapshot.SegmentAlloc {
			continue
		}
		if j, ok := containing(p.private, e.Addr); ok {
			p.since[j] = i
		}
	}
}

// maxLanes is how many lanes are told apart, far more than a training has.
const maxLanes = 1 << 16

func (p *program) laneIndex(l lane) uint16 {
	i, ok := p.laneOf[l]
	if !ok && len(p.lanes) == maxLanes {
		return maxLanes - 1
	}
	if !ok {
		i = uint16(len(p.lanes))
		p.laneOf[l] = i
		p.lanes = append(p.lanes, l)
	}
	return i
}

// open returns the shelves of all lanes in an allocator, by number.
func (p *program) open(a *allocator) []*[2]*shelf {
	shelves := make([]*[2]*shelf, len(p.lanes))
	for i, l := range p.lanes {
		shelves[i] = a.open(l)
	}
	return shelves
}
