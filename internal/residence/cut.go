package residence

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// Cut leaves the part of every device's trace from one moment to another, as Summarize names them, and puts the
// segments into the state that they were in at its end. A trace can only be read against that state.
func Cut(s *snapshot.Snapshot, from, to string) error {
	b, begin, end := newBook(s), when{at: from}, when{at: to}
	var segments []snapshot.Segment
	var blocks []snapshot.Block
	var times [2]int64
	for i := range s.Devices {
		d := s.Devices[i]
		c := b.follow(d, b.steps(d).Ends)
		first, begins := begin.on(&c, d)
		last, _ := end.on(&c, d)
		if begins != from {
			first = last
		}
		if first > last {
			return fmt.Errorf("the part begins at entry %d and ends at entry %d of device %d", first-d.From, last-d.From, d.Index)
		}
		if last < d.To {
			segments, blocks = b.cut(c.walk, last, segments, blocks)
		} else {
			segments, blocks = b.keep(d, segments, blocks)
		}
		times = b.span(first, last, times)
		s.Devices[i].From, s.Devices[i].To = first, last
	}
	if err := cmp.Or(begin.err(), end.err()); err != nil {
		return err
	}
	s.Segments, s.Blocks = segments, blocks
	if times[1] > 0 {
		s.Annotations = slices.DeleteFunc(s.Annotations, func(a snapshot.Annotation) bool { return a.Time < times[0] || a.Time > times[1] })
	}
	return nil
}

// span widens times to those of the entries from first on in front of last.
func (b *book) span(first, last int, times [2]int64) [2]int64 {
	if first == last {
		return times
	}
	begin, end := b.snap.Trace.At(first).Time, b.snap.Trace.At(last-1).Time
	if times[0] == 0 || begin < times[0] {
		times[0] = begin
	}
	times[1] = max(times[1], end)
	return times
}

// keep copies a device's segments.
func (b *book) keep(d snapshot.Device, segments []snapshot.Segment, blocks []snapshot.Block) ([]snapshot.Segment, []snapshot.Block) {
	for _, s := range b.snap.Segments {
		if s.Device != d.Index {
			continue
		}
		first := len(blocks)
		blocks = append(blocks, b.snap.Blocks[s.First:s.Last]...)
		s.First, s.Last = first, len(blocks)
		segments = append(segments, s)
	}
	return segments, blocks
}

// cut makes a device's segments as they were in front of an entry.
func (b *book) cut(end *walk, event int, segments []snapshot.Segment, blocks []snapshot.Block) ([]snapshot.Segment, []snapshot.Block) {
	live := b.live(end, event)
	slices.SortStableFunc(live, func(x, y Block) int { return cmp.Compare(x.Addr, y.Addr) })
	i := 0
	for _, held := range b.segments(end.device, event) {
		seg := snapshot.Segment{Device: end.device.Index, Addr: held.Addr, Size: held.Size, Stream: held.Lane.Stream, Pool: held.Lane.Pool,
			Stack: held.Stack, Small: held.Small, Expandable: held.Expandable, First: len(blocks)}
		at := held.Addr
		gap := func(to uint64) {
			if to > at {
				blocks = append(blocks, snapshot.Block{Addr: at, Size: to - at, Stack: snapshot.NoFrames})
				at = to
			}
		}
		for i < len(live) && live[i].Addr < held.Addr {
			i++
		}
		for ; i < len(live) && live[i].Addr < held.end(); i++ {
			x := live[i]
			gap(x.Addr)
			state := snapshot.Allocated
			if x.Pending {
				state = snapshot.Pending
			}
			blocks = append(blocks, snapshot.Block{Addr: x.Addr, Size: min(x.Size, held.end()-x.Addr), Requested: x.Requested, Stack: b.real(x.Stack), State: state})
			at = max(at, x.Addr+x.Size)
		}
		gap(held.end())
		seg.Last = len(blocks)
		segments = append(segments, seg)
	}
	return segments, blocks
}
