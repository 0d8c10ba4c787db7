package residence

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// Picture is what can be drawn of a device: how live memory went over its trace, and what lay where at some moments.
type Picture struct {
	Curve Curve
	// Moments are the one that was asked for, the peak, the last sign of life and the end, in the order of the trace;
	// those that are the same stand once, under the name of the first of these.
	Moments []State
	Asked   int // which of Moments was asked for
	Clock   Clock
	// OutOfMemory are entries that report it, the first ones.
	OutOfMemory []int

	book *book
}

// State is what lay where at a moment.
type State struct {
	Summary
	Segments []Segment // by address
	Blocks   []Block   // by address
}

// Clock tells the time of entries.
type Clock struct {
	Every int     // entries from one reading to the next
	Micro []int64 // microseconds since the first entry; none where times were not recorded
}

const (
	maxReadings    = 4096 // of a clock
	maxOutOfMemory = 1000
)

// Draw makes pictures of all devices. at is a moment, as Summarize takes it.
func Draw(s *snapshot.Snapshot, at string) ([]Picture, error) {
	b, w := newBook(s), when{at: at}
	var all []Picture
	for _, d := range s.Devices {
		all = append(all, b.draw(d, &w, maxDeltas/len(s.Devices)))
	}
	return all, w.err()
}

func (b *book) draw(d snapshot.Device, asked *when, limit int) Picture {
	whole, course := b.overview(d)
	p := Picture{book: b, Clock: b.clock(d), Curve: b.curve(d, whole.Kinds, course.older, limit)}
	for i := d.From; i < d.To && len(p.OutOfMemory) < min(whole.Kinds[snapshot.OOM], maxOutOfMemory); i++ {
		if b.snap.Trace.Kind(i) == snapshot.OOM {
			p.OutOfMemory = append(p.OutOfMemory, i-d.From)
		}
	}
	var entries []int
	for _, w := range []*when{asked, {at: "peak"}, {at: "last"}, {at: "end"}} {
		entry, what := w.on(&course, d)
		if slices.Contains(entries, entry) {
			continue
		}
		entries = append(entries, entry)
		state := State{Summary: whole, Segments: b.segments(d, entry), Blocks: b.live(course.walk, entry)}
		state.Moment = Moment{Event: entry - d.From, What: what}
		b.describe(&state.Summary, d, state.Blocks, state.Segments)
		p.Moments = append(p.Moments, state)
	}
	first := p.Moments[0].Moment.Event
	slices.SortFunc(p.Moments, func(x, y State) int { return cmp.Compare(x.Moment.Event, y.Moment.Event) })
	p.Asked = slices.IndexFunc(p.Moments, func(s State) bool { return s.Moment.Event == first })
	return p
}

// clock reads the time of some entries.
func (b *book) clock(d snapshot.Device) Clock {
	c := Clock{Every: max(1, (d.To-d.From+maxReadings-1)/maxReadings)}
	if d.From == d.To || b.snap.Trace.At(d.From).Time == 0 {
		return c
	}
	first := b.snap.Trace.At(d.From).Time
	for i := d.From; i < d.To; i += c.Every {
		c.Micro = append(c.Micro, b.snap.Trace.At(i).Time-first)
	}
	return c
}

// Site returns the site of a block.
func (p *Picture) Site(x Block) Site { return p.book.about(x.Stack).site }

// Frames returns the stack that a block was allocated by, innermost first: of memory of a backward pass, that of the call
// of backward().
func (p *Picture) Frames(x Block) []snapshot.Frame { return p.book.frames(x.Stack) }

// Band returns which band of the curve a block belongs to.
func (p *Picture) Band(x Block) int {
	if x.Born < 0 && p.Moments[0].Events > 0 {
		return p.Curve.Before()
	}
	return int(p.Curve.bandOf[p.book.siteOf[x.Stack]])
}
