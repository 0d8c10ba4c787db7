package simulate

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// segments is what is held from the driver, by address, without blocks.
type segments []Segment

// held takes those that can be: segments do not overlap.
func held(list []Segment) segments {
	s := make(segments, 0, len(list))
	for _, seg := range list {
		if seg.Size > 0 && seg.Size <= beyond && seg.Addr <= farthest {
			seg.Blocks = nil
			s = append(s, seg)
		}
	}
	slices.SortFunc(s, func(x, y Segment) int { return cmp.Compare(x.Addr, y.Addr) })
	end := uint64(0)
	return slices.DeleteFunc(s, func(seg Segment) bool {
		if seg.Addr < end {
			return true
		}
		end = seg.Addr + seg.Size
		return false
	})
}

// containing returns the number of the segment around an address; list is sorted.
func containing(list []Segment, addr uint64) (int, bool) {
	i, found := slices.BinarySearchFunc(list, addr, func(s Segment, addr uint64) int { return cmp.Compare(s.Addr, addr) })
	if !found {
		i--
	}
	if i < 0 || addr >= list[i].Addr+list[i].Size {
		return 0, false
	}
	return i, true
}

// apply does what an entry says was done with the driver.
func (s *segments) apply(e *Event, p pages) {
	switch {
	case acquires(e.Kind):
		s.add(e, p)
	case releases(e.Kind):
		s.take(e)
	}
}

// undo does the opposite.
func (s *segments) undo(e *Event, p pages) {
	switch {
	case acquires(e.Kind):
		s.take(e)
	case releases(e.Kind):
		s.add(e, p)
	}
}

func (s *segments) add(e *Event, p pages) {
	seg := Segment{Addr: e.Addr, Size: e.Size, Stream: e.Stream, Pool: e.Pool, Small: e.Size == smallSegment,
		Expandable: e.Kind == snapshot.SegmentMap || e.Kind == snapshot.SegmentUnmap}
	i, _ := slices.BinarySearchFunc(*s, e.Addr, func(s Segment, addr uint64) int { return cmp.Compare(s.Addr, addr) })
	if i > 0 && (*s)[i-1].Addr+(*s)[i-1].Size > seg.Addr || i < len(*s) && seg.Addr+seg.Size > (*s)[i].Addr {
		return // something is there already: the trace contradicts itself
	}
	if e.Kind == snapshot.SegmentUnmap {
		seg.Small = p.small(&seg, (*s)[max(i-1, 0):min(i+1, len(*s))]...)
	}
	*s = slices.Insert(*s, i, seg)
	s.join(i)
	s.join(i - 1)
}

// pages says of addresses at which pages were mapped whether these are small. A mapping of small pages is one page.
type pages map[uint64]bool

func (t *Trace) pages() pages {
	p := pages{}
	for i := range t.Events {
		if e := &t.Events[i]; e.Kind == snapshot.SegmentMap {
			p[e.Addr] = e.Size == smallSegment
		}
	}
	return p
}

// mostPages is how far into a run is looked.
const mostPages = 1 << 17

// small tells a run of small pages that were given back from large ones: as they were when mapped again, as what
// they touch, else by the size.
func (p pages) small(run *Segment, around ...Segment) bool {
	for i := uint64(0); i < min(run.Size/smallSegment, mostPages) && len(p) > 0; i++ {
		if small, ok := p[run.Addr+i*smallSegment]; ok {
			return small
		}
	}
	for _, s := range around {
		if s.Expandable && s.Stream == run.Stream && (s.Addr+s.Size == run.Addr || run.Addr+run.Size == s.Addr) {
			return s.Small
		}
	}
	return run.Size%largeSegment != 0
}

// join makes one range of neighbours in an expandable segment.
func (s *segments) join(i int) {
	if i < 0 || i+1 >= len(*s) {
		return
	}
	a, b := &(*s)[i], (*s)[i+1]
	if a.Expandable && b.Expandable && a.Addr+a.Size == b.Addr && a.Small == b.Small && a.Stream == b.Stream {
		a.Size += b.Size
		*s = slices.Delete(*s, i+1, i+2)
	}
}

// take removes a segment, or cuts pages out of a range.
func (s *segments) take(e *Event) {
	i, found := slices.BinarySearchFunc(*s, e.Addr, func(s Segment, addr uint64) int { return cmp.Compare(s.Addr, addr) })
	if !found {
		i--
	}
	if i < 0 {
		return
	}
	seg := (*s)[i]
	end, cut := seg.Addr+seg.Size, e.Addr+e.Size
	if e.Addr >= end || !seg.Expandable && !found {
		return
	}
	var rest []Segment
	if seg.Expandable && e.Addr > seg.Addr {
		front := seg
		front.Size = e.Addr - seg.Addr
		rest = append(rest, front)
	}
	if seg.Expandable && cut < end {
		back := seg
		back.Addr, back.Size = cut, end-cut
		rest = append(rest, back)
	}
	*s = slices.Replace(*s, i, i+1, rest...)
}
