package simulate

import (
	"slices"
	"testing"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// recorder writes down what a model does, as PyTorch would.
type recorder struct {
	*allocator
	events []Event
	live   []*block
	stack  uint32 // of the request under way: each has another one
}

func (r *recorder) entry(kind snapshot.Kind, b *block) {
	r.events = append(r.events, Event{Kind: kind, Addr: b.addr, Size: b.requested, Stream: b.shelf.lane.stream, Pool: b.shelf.lane.pool, Stack: 2})
}

// driver writes down the pending frees that something waited for, and what was done with the driver.
func (r *recorder) driver(before []Event, stack uint32) {
	if len(before) > 0 && r.pending.first == nil {
		r.events = append(r.events, before...)
	}
	for _, e := range r.log {
		e.Stack = stack
		r.events = append(r.events, e)
	}
	r.log = r.log[:0]
}

func (r *recorder) waiting() (events []Event) {
	for _, b := range r.pending.all() {
		events = append(events, Event{Kind: snapshot.FreeCompleted, Addr: b.addr, Size: b.requested, Stream: b.shelf.lane.stream, Pool: b.shelf.lane.pool})
	}
	return events
}

func (r *recorder) ask(l lane, size uint64) {
	r.stack++
	if r.settings.MaxSplit < unlimited || r.settings.Expandable || r.collects() {
		// Whether a free was completed before a malloc, or waited for in it, a trace does not say. It matters where
		// the malloc gives single blocks back, and where room for pages is looked for in another order than blocks.
		for r.pending.first != nil {
			r.entry(snapshot.FreeCompleted, r.pending.first)
			r.complete(r.pending.first)
		}
	}
	before := r.waiting()
	b := r.malloc(r.open(l), size, false)
	r.driver(before, r.stack+2)
	if b == nil {
		r.events = append(r.events, Event{Kind: snapshot.OOM, Size: r.settings.Round(size), Stream: l.stream, Pool: l.pool, Stack: r.stack + 2})
		return
	}
	r.live = append(r.live, b)
	r.entry(snapshot.Alloc, b)
	r.events[len(r.events)-1].Stack = r.stack + 2
}

// low is a card whose regions lie where those of a device may, and not where a replay makes them up.
type low struct{ *card }

func (l low) reserve(page uint64) (addr, size uint64) {
	addr, _ = l.card.reserve(page)
	_, size = (&card{}).reserve(page) // as large as a replay takes them to be, which is not told the device
	return addr - 1<<63 + 1<<58, size
}

// do lets one pair of bytes happen.
func (r *recorder) do(kind byte, n int) {
	j := 0
	if len(r.live) > 0 {
		j = n % len(r.live)
	}
	switch {
	case kind < 4:
		r.ask(lane{stream: uint64(kind % 2), pool: snapshot.Pool{0, uint64(kind / 3)}}, 1+uint64(n*n*n)<<(kind*2))
	case kind < 6 && len(r.live) > 0:
		r.entry(snapshot.FreeRequested, r.live[j])
		r.entry(snapshot.FreeCompleted, r.live[j])
		r.give(r.live[j])
		r.live = slices.Delete(r.live, j, j+1)
	case kind == 6 && len(r.live) > 0:
		r.entry(snapshot.FreeRequested, r.live[j])
		r.request(r.live[j])
		r.live = slices.Delete(r.live, j, j+1)
	case n < 40:
		before := r.waiting()
		r.releaseAll()
		r.driver(before, snapshot.NoFrames)
	case r.pending.first != nil:
		waiting := r.pending.all()
		b := waiting[n%len(waiting)]
		r.entry(snapshot.FreeCompleted, b)
		r.complete(b)
	}
}

// FuzzRoundTrip replays what a model did: all of it must be foretold.
func FuzzRoundTrip(f *testing.F) {
	for i := range fuzzConfs {
		f.Add(uint8(i), uint8(9), []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
		f.Add(uint8(i), uint8(40), []byte("\x02\xff\x02\xf0\x04\x00\x06\x00\x01\xf3\x02\x80\x07\x01\x02\xfe\x07\x99\x03\x90\x02\x70\x06\x01\x02\xf1\x02\xf2\x05\x03\x02\xf7"))
	}
	f.Fuzz(func(t *testing.T, conf, capacity uint8, ops []byte) {
		s := mustParse(t, fuzzConfs[int(conf)%len(fuzzConfs)])
		c := &card{capacity: uint64(capacity) * 16 * mib, place: ascending()}
		limit := uint64(0)
		if s.GCThreshold > 0 || s.Fraction > 0 {
			limit = c.capacity / 2
		}
		r := &recorder{allocator: newAllocator(s, low{c}, limit)}
		r.logging = true
		for i := 0; i+1 < len(ops) && i < 600; i += 2 {
			r.do(ops[i]%8, int(ops[i+1]))
		}
		trace := &Trace{Settings: s, Segments: r.layout(), Events: r.events}
		if len(trace.Events) == 0 {
			return
		}
		got := compile(trace).replay(limit)
		if got.Exact != got.Events || got.FinalBlocks.Exact != got.FinalBlocks.Of {
			t.Fatalf("%+v %+v", *got, got.FirstDivergence)
		}
		p := compile(trace)
		for _, conf := range fuzzConfs {
			o := p.run(mustParse(t, conf), &card{capacity: c.capacity, place: descending()}, limit, packed)
			if o.Requested > o.Active || o.Allocated > o.Active || o.Active > o.Reserved || o.Reserved > o.PeakReserved {
				t.Fatalf("%s: %+v", conf, o)
			}
		}
	})
}
