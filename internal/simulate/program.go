package simulate

import (
	"cmp"
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

// holding is a request that was being served before the trace began.
type holding struct {
	handle    int32
	lane      uint16
	addr      uint64
	requested uint64
	size      uint64 // of its block where known, else 0
	pending   bool
}

// program is a trace made ready for replays: frees point at their requests, and what the allocator did with
// the driver is taken apart from what was asked of it.
type program struct {
	trace   *Trace
	ops     []op
	lanes   []lane
	handles int32
	start   []holding // by address
	before  segments  // held before the trace began
	lost    int       // requests whose free is missing

	laneOf  map[lane]uint16
	live    map[uint64]int32 // by address
	private []Segment        // of the final state, by address
	since   []int            // entry that brought each of them, -1 if it was there before
	has     [snapshot.OOM + 1]bool
	more    int64 // held from the driver, more than at the beginning
	most    int64 // that was held at any time
}

func compile(t *Trace) *program {
	p := &program{trace: t, laneOf: map[lane]uint16{}, live: map[uint64]int32{}}
	t.Events = slices.DeleteFunc(t.Events, func(e Event) bool { return e.impossible() })
	for _, e := range t.Events {
		p.has[e.Kind] = true
	}
	p.findPrivate()
	p.ops = make([]op, 0, len(t.Events)*2/3)
	p.most = t.most()
	for i := 0; i < len(t.Events); {
		i = p.step(i)
	}
	p.begin()
	return p
}

// beyond is more than any address space has.
const beyond = 1 << 57

// impossible is an entry that no allocator wrote: it would only upset sums.
func (e *Event) impossible() bool {
	return e.Kind > snapshot.OOM || e.Size > beyond || e.Kind != snapshot.OOM && e.Addr > beyond ||
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

// apart takes an empty_cache away from the entries in front of an allocation: releases that are not the
// allocation's own.
func (p *program) apart(from, to int, held int64) int {
	events := p.trace.Events
	mid := from
	for mid < to && releases(events[mid].Kind) {
		mid++
	}
	if mid == from || to == len(events) || p.own(events[from:mid], held, events[mid:to], &events[to]) {
		return from
	}
	p.emit(op{kind: opEmptyCache}, from, mid)
	return mid
}

// own says that an allocation released memory itself, because the device was full or garbage was to be
// collected. Then the allocator needed memory from the driver, and releases carry the stack of the allocation;
// those of empty_cache carry none, or that of the segment. Where no stack tells, a device that held more at
// another time was not full.
func (p *program) own(released []Event, held int64, acquired []Event, asked *Event) bool {
	if asked.Kind == snapshot.OOM {
		return true
	}
	if len(acquired) == 0 {
		return false
	}
	for _, e := range released {
		if e.Stack != asked.Stack && (e.Stack > snapshot.NoFrames || asked.Stack > snapshot.NoFrames) {
			return false
		}
	}
	return asked.Stack > snapshot.NoFrames || p.trace.Settings.GCThreshold > 0 || held+int64(acquired[0].Size) > p.most
}

// most returns the most that was held during the trace, more than at its beginning.
func (t *Trace) most() (most int64) {
	held := int64(0)
	for i := range t.Events {
		held += change(&t.Events[i])
		most = max(most, held)
	}
	return most
}

// change is by how much an entry changes what is held from the driver.
func change(e *Event) int64 {
	switch {
	case acquires(e.Kind):
		return int64(e.Size)
	case releases(e.Kind):
		return -int64(e.Size)
	}
	return 0
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
	if !p.has[snapshot.FreeCompleted] {
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

// owner returns the request that a free belongs to; one from before the trace is made up.
func (p *program) owner(i int, allocated bool) int32 {
	e := &p.trace.Events[i]
	if h, ok := p.live[e.Addr]; ok {
		return h
	}
	p.hold(e.Addr, holding{lane: p.lane(i), requested: e.Size, pending: !allocated})
	return p.live[e.Addr]
}

func (p *program) hold(addr uint64, h holding) {
	h.addr, h.handle = addr, p.handles
	p.start = append(p.start, h)
	p.live[addr] = p.handles
	p.handles++
}

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
	for i, e := range p.trace.Events {
		if e.Kind != snapshot.SegmentAlloc || len(p.private) == 0 {
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

// begin works out the state before the first entry: the final segments with all entries undone, and the
// requests that are freed in the trace or still served at its end without having been made in it.
func (p *program) begin() {
	first := map[int32]int{}
	for i, h := range p.start {
		first[h.handle] = i
	}
	for _, s := range p.trace.Segments {
		for _, b := range s.Blocks {
			if !b.Live {
				continue
			}
			if h, ok := p.live[b.Addr]; !ok {
				p.hold(b.Addr, holding{lane: p.laneIndex(lane{s.Pool, s.Stream}), requested: b.Requested, size: b.Size, pending: b.Pending})
			} else if i, ok := first[h]; ok {
				p.start[i].size = b.Size
			}
		}
	}
	sortHoldings(p.start)
	p.measure()
	p.before = held(p.trace.Segments)
	for i := len(p.trace.Events) - 1; i >= 0; i-- {
		p.before.undo(&p.trace.Events[i])
	}
	p.live, p.laneOf = nil, nil
}

// measure finds the true size of blocks from before the trace that are larger than what was asked for, by what
// was put behind them while they lived: what is left of a large block that was not split is at most 1 MiB, and
// no large block is as small, so that what begins there begins at its end.
func (p *program) measure() {
	if len(p.start) == 0 {
		return
	}
	at := make(map[int32]int, len(p.start))
	for i, h := range p.start {
		at[h.handle] = i
	}
	gone := make([]bool, len(p.start))
	for i := range p.ops {
		o := &p.ops[i]
		if j, ok := at[o.handle]; ok && (o.kind == opFree || o.kind == opComplete) {
			gone[j] = true
		}
		if o.kind != opAlloc {
			continue
		}
		addr := p.trace.Events[o.to-1].Addr
		j, _ := slices.BinarySearchFunc(p.start, addr, func(h holding, addr uint64) int { return cmp.Compare(h.addr, addr) })
		if j--; j < 0 || gone[j] || p.start[j].size > 0 {
			continue
		}
		h := &p.start[j]
		least := p.trace.Settings.Round(h.requested)
		if size := addr - h.addr; least > smallLimit && size > least && size-least <= smallLimit {
			h.size = size
		}
	}
}

func sortHoldings(list []holding) {
	slices.SortFunc(list, func(x, y holding) int { return cmp.Compare(x.addr, y.addr) })
}
