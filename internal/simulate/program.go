package simulate

import (
	"slices"

	"github.com/torchleak/torchleak/internal/snapshot"
)

type opKind uint8

const (
	opAlloc opKind = iota
	opFree         // requested and completed at once
	opRequest
	opComplete
	opEmptyCache
	opFail // a request that ran out of memory
)

// op is one thing that was done to the allocator. The entries that belong to it are events[from:to].
type op struct {
	kind     opKind
	lane     uint16
	handle   int32
	from, to int32
	size     uint64
}

// program is a trace made ready for replays: frees point at their requests, and what the allocator did with
// the driver is taken apart from what was asked of it.
type program struct {
	trace   *Trace
	ops     []op
	lanes   []lane
	handles int32
	start   []holding      // by address
	before  segments       // held before the trace began
	pages   pages          // for undoing
	waiting map[uint64]int // entries that request a free which the final state still waits for, by address
	lost    int            // requests whose free is missing

	laneOf  map[lane]uint16
	live    map[uint64]int32       // by address
	private []Segment              // of the final state, by address
	since   []int                  // entry that brought each of them, -1 if it was there before
	has     [snapshot.OOM + 1]bool // kinds that are recorded: a program may leave some out
	more    int64                  // held from the driver, more than at the beginning
	most    int64                  // that was held at any time
}

func compile(t *Trace) *program {
	p := &program{trace: t, laneOf: map[lane]uint16{}, live: map[uint64]int32{}}
	t.Events = slices.DeleteFunc(t.Events, func(e Event) bool { return e.impossible() })
	for _, e := range t.Events {
		p.has[e.Kind] = true
	}
	p.findWaiting()
	p.findPrivate()
	p.ops = make([]op, 0, len(t.Events)*2/3)
	p.most = t.most()
	for i := 0; i < len(t.Events); {
		i = p.step(i)
	}
	p.begin()
	return p
}

const (
	beyond   = 1 << 57 // more bytes than any device has
	farthest = 3 << 62 // addresses up to here can be added up
)

// impossible is an entry that no allocator wrote: it would only upset sums.
func (e *Event) impossible() bool {
	return e.Kind > snapshot.OOM || e.Size > beyond || e.Addr > farthest ||
		e.Size == 0 && e.Kind != snapshot.Alloc && e.Kind != snapshot.OOM
}

// step compiles the entries from i on that belong together and returns the next.
func (p *program) step(i int) int {
	events := p.trace.Events
	from, before := i, p.more
	for ; i < len(events) && (acquires(events[i].Kind) || releases(events[i].Kind)); i++ {
		p.more += change(&events[i])
	}
	if i == len(events) || events[i].Kind != snapshot.Alloc && events[i].Kind != snapshot.OOM {
		if i > from {
			p.emit(op{kind: opEmptyCache}, from, i)
			return i
		}
	}
	if from = p.apart(from, i, before); i == len(events) {
		return i
	}
	switch e := &events[i]; e.Kind {
	case snapshot.Alloc:
		if old, ok := p.live[e.Addr]; ok {
			p.lost++
			p.emit(op{kind: opFree, handle: old}, i, i)
		}
		p.live[e.Addr] = p.handles
		p.emit(op{kind: opAlloc, lane: p.lane(i), handle: p.handles, size: e.Size}, from, i+1)
		p.handles++
	case snapshot.OOM:
		p.emit(op{kind: opFail, lane: p.lane(i), handle: p.handles, size: e.Size}, from, i+1)
		p.handles++
	case snapshot.FreeRequested:
		return p.requested(i)
	case snapshot.FreeCompleted:
		kind := opComplete
		if !p.has[snapshot.FreeRequested] {
			kind = opFree
		}
		p.emit(op{kind: kind, handle: p.owner(i, !p.has[snapshot.FreeRequested])}, i, i+1)
		delete(p.live, e.Addr)
	}
	return i + 1
}

// findWaiting looks up the last free of each block that the final state shows as pending.
func (p *program) findWaiting() {
	p.waiting = map[uint64]int{}
	for _, s := range p.trace.Segments {
		for _, b := range s.Blocks {
			if b.Pending {
				p.waiting[b.Addr] = -1
			}
		}
	}
	if len(p.waiting) == 0 {
		return
	}
	for i, e := range p.trace.Events {
		if _, waits := p.waiting[e.Addr]; waits && e.Kind == snapshot.FreeRequested {
			p.waiting[e.Addr] = i
		}
	}
}

// requested compiles a free, at once where nothing had to be waited for.
func (p *program) requested(i int) int {
	events := p.trace.Events
	e := &events[i]
	h := p.owner(i, true)
	if i+1 < len(events) && events[i+1].Kind == snapshot.FreeCompleted && events[i+1].Addr == e.Addr {
		p.emit(op{kind: opFree, handle: h}, i, i+2)
		delete(p.live, e.Addr)
		return i + 2
	}
	if last, waits := p.waiting[e.Addr]; !p.has[snapshot.FreeCompleted] && !(waits && last == i) {
		p.emit(op{kind: opFree, handle: h}, i, i+1)
		delete(p.live, e.Addr)
		return i + 1
	}
	p.emit(op{kind: opRequest, handle: h}, i, i+1)
	return i + 1
}

func (p *program) emit(o op, from, to int) {
	o.from, o.to = int32(from), int32(to)
	p.ops = append(p.ops, o)
}
