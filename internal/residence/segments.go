package residence

import (
	"cmp"
	"slices"
	"sort"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// Segment is memory that the allocator holds from the driver at some moment.
type Segment struct {
	Addr, Size uint64
	Lane       snapshot.Lane
	Small      bool
	Expandable bool
	Stack      uint32
}

func (s Segment) end() uint64 { return s.Addr + s.Size }

// segments returns what is held once entries up to event have happened: it takes back, from the last entry on, what
// later ones did.
func (b *book) segments(d snapshot.Device, event int) []Segment {
	var held []Segment
	for _, s := range b.snap.Segments {
		if s.Device == d.Index {
			held = append(held, Segment{s.Addr, s.Size, snapshot.Lane{Stream: s.Stream, Pool: s.Pool}, s.Small, s.Expandable, s.Stack})
		}
	}
	slices.SortStableFunc(held, func(x, y Segment) int { return cmp.Compare(x.Addr, y.Addr) })
	for i := d.To - 1; i >= event; i-- {
		e := b.snap.Trace.At(i)
		switch e.Kind {
		case snapshot.SegmentAlloc, snapshot.SegmentMap:
			held = without(held, e.Addr, e.Size)
		case snapshot.SegmentFree, snapshot.SegmentUnmap:
			held = with(held, Segment{e.Addr, e.Size, b.snap.Trace.Lanes[e.LaneID], e.Size <= smallSegment, e.Kind == snapshot.SegmentUnmap, e.Stack})
		}
	}
	return held
}

// smallSegment is what the allocator asks the driver for at once for requests of up to 1 MiB.
const smallSegment = 2 << 20

// with adds a segment; expandable ones grow together with their neighbours.
func with(held []Segment, s Segment) []Segment {
	i := sort.Search(len(held), func(i int) bool { return held[i].Addr >= s.Addr })
	joins := func(x, y Segment) bool { return x.Expandable && y.Expandable && x.end() == y.Addr && x.Lane == y.Lane }
	if i < len(held) && joins(s, held[i]) {
		s.Size += held[i].Size
		held = slices.Delete(held, i, i+1)
	}
	if i > 0 && joins(held[i-1], s) {
		held[i-1].Size += s.Size
		return held
	}
	return slices.Insert(held, i, s)
}

// without takes a range out of what is held.
func without(held []Segment, addr, size uint64) []Segment {
	end := addr + size
	i := sort.Search(len(held), func(i int) bool { return held[i].end() > addr })
	for i < len(held) && held[i].Addr < end {
		s := held[i]
		held = slices.Delete(held, i, i+1)
		for _, rest := range [][2]uint64{{s.Addr, min(addr, s.end())}, {max(end, s.Addr), s.end()}} {
			if rest[0] < rest[1] {
				part := s
				part.Addr, part.Size = rest[0], rest[1]-rest[0]
				held = slices.Insert(held, i, part)
				i++
			}
		}
	}
	return held
}

// Free is what is held from the driver and not in use.
type Free struct {
	Bytes   int64
	Largest int64
	Pieces  int64 // bytes beside memory in use, which cannot go back to the driver
	Count   int
}

// free measures the gaps between blocks, both sorted by address.
func free(held []Segment, blocks []Block) (f Free) {
	i := 0
	for _, s := range held {
		for i < len(blocks) && blocks[i].Addr < s.Addr {
			i++
		}
		at, used := s.Addr, false
		gap := func(to uint64) {
			if n := int64(to) - int64(at); n > 0 {
				f.Bytes += n
				f.Largest = max(f.Largest, n)
				f.Count++
				if used || to != s.end() {
					f.Pieces += n
				}
			}
		}
		for ; i < len(blocks) && blocks[i].Addr < s.end(); i++ {
			gap(blocks[i].Addr)
			used, at = true, max(at, blocks[i].Addr+blocks[i].Size)
		}
		gap(s.end())
	}
	return f
}
