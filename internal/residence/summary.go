package residence

import (
	"github.com/torchleak/torchleak/internal/snapshot"
)

// Summary is what a device's part of a snapshot says.
type Summary struct {
	Index int
	// The state at the moment that was asked for.
	Moment    Moment
	Allocated int64 // in blocks, as the allocator rounded
	Count     int   // blocks that are allocated
	Active    int64 // also what is freed and still used by a stream
	Requested int64
	Reserved  int64
	Free      Free
	// Over the whole trace. Without a trace the peaks are not known.
	PeakAllocated, PeakReserved int64
	PeakEvent                   int // counted from the device's first entry
	Events                      int
	Steps                       Steps
	Kinds                       [snapshot.Other + 1]int
	// Before is what was in use when the trace began.
	Before Tally
	// Teardown is where the program had ended and only let go, -1 where it had not.
	Teardown int

	Sites       []Row
	Modules     []Group
	Categories  []Group
	Pools       []PoolUse
	Oldest      []Survivor
	Largest     []Survivor
	Growth      []Growth
	Levels      []Level
	OutOfMemory *snapshot.Entry // the request that ran out of memory, nil for none
}

// Moment is a place in the trace: the state in front of an entry.
type Moment struct {
	Event int // counted from the device's first entry; Events for the end
	What  string
}

// Level is live memory at the end of a step.
type Level struct {
	Event     int
	Allocated int64
	Peak      int64 // within the step
}

// Summarize reads a snapshot device by device. at is "end", "peak", "last" (before the program let go at its end),
// "step:N" or the number of an entry.
func Summarize(s *snapshot.Snapshot, at string) ([]Summary, error) {
	b, w := newBook(s), when{at: at}
	var all []Summary
	for _, d := range s.Devices {
		all = append(all, b.summarize(d, &w))
	}
	return all, w.err()
}

func (b *book) summarize(d snapshot.Device, w *when) Summary {
	s, course := b.overview(d)
	moment, what := w.on(&course, d)
	s.Moment = Moment{Event: moment - d.From, What: what}
	b.describe(&s, d, b.live(course.walk, moment), b.segments(d, moment))
	return s
}

// overview says what holds for the whole trace.
func (b *book) overview(d snapshot.Device) (Summary, course) {
	s := Summary{Index: d.Index, Events: d.To - d.From, Kinds: b.snap.Trace.Count(d.From, d.To), Steps: b.steps(d)}
	course := b.follow(d, s.Steps.Ends)
	s.Teardown = course.teardown
	if s.Teardown >= 0 {
		s.Teardown -= d.From
	}
	s.Growth, s.Levels, s.Before = course.growth, course.levels, course.before
	s.PeakAllocated, s.PeakReserved = course.peak, course.peakReserved
	s.PeakEvent = course.peakEvent - d.From
	if s.Kinds[snapshot.OOM] > 0 {
		s.OutOfMemory = b.lastOOM(d)
	}
	return s, course
}

// describe adds what blocks and segments say of a moment, both sorted by address.
func (b *book) describe(s *Summary, d snapshot.Device, blocks []Block, held []Segment) {
	for _, x := range blocks {
		s.Active += int64(x.Size)
		if !x.Pending {
			s.Allocated += int64(x.Size)
			s.Count++
		}
		s.Requested += int64(x.Requested)
	}
	for _, x := range held {
		s.Reserved += int64(x.Size)
	}
	s.Free = free(held, blocks)
	s.Sites = b.rows(blocks)
	s.Modules = b.groups(blocks, func(a about) string { return a.module })
	s.Categories = b.groups(blocks, func(a about) string { return string(a.category) })
	s.Pools = pools(held, blocks)
	s.Oldest, s.Largest = b.survivors(d, blocks)
}

func (b *book) lastOOM(d snapshot.Device) *snapshot.Entry {
	for i := d.To - 1; i >= d.From; i-- {
		if e := b.snap.Trace.At(i); e.Kind == snapshot.OOM {
			return &e
		}
	}
	return nil
}
