package simulate

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// Replay is how well the model foretells a trace under its own settings.
type Replay struct {
	Events          int         `json:"events"` // entries that were replayed
	Exact           int         `json:"exact"`  // of them foretold: address, kind, size and order
	Addresses       Score       `json:"addresses"`
	SegmentEvents   Score       `json:"segment_events"`
	FinalBlocks     Score       `json:"final_blocks"` // blocks that the snapshot shows at the end
	FirstDivergence *Divergence `json:"first_divergence"`
	PeakReserved    uint64      `json:"peak_reserved_bytes"`
	PeakAllocated   uint64      `json:"peak_allocated_bytes"`
	Retries         int         `json:"retries"`
	OOMs            int         `json:"ooms"`     // requests that failed in the recorded run
	Complete        bool        `json:"complete"` // the trace begins with the first allocation

	stats   Stats
	held    uint64 // most that the device could hold
	refused uint64 // least that it could not, 0 if nothing was refused
	room    bool   // it was refused while the device had room: the process has a limit
	device  uint64 // bytes of the device, as far as the entry of a failed request tells: held and free
}

// Score counts how many of some were foretold.
type Score struct {
	Exact int `json:"exact"`
	Of    int `json:"of"`
}

func (s *Score) add(exact bool) {
	s.Of++
	if exact {
		s.Exact++
	}
}

// Divergence is where model and trace part.
type Divergence struct {
	Event     int    `json:"event"` // index of the entry
	Action    string `json:"action"`
	Size      uint64 `json:"size"`
	Predicted string `json:"predicted"`
	Recorded  string `json:"recorded"`
	Cause     string `json:"cause"`
}

// patience is after how many divergences the model is not set right again: it is the wrong one.
const patience = 64

// oracle is the driver of a replay: it does what the trace says was done.
type oracle struct {
	card
	events []Event // of the malloc under way that concern the driver
	taken  int     // allocations and mappings among them that were used
	freed  int     // bytes of releases done so far
	toFree int
	fails  bool // the request ran out of memory
}

func (o *oracle) begin(events []Event, fails bool) {
	o.events, o.taken, o.freed, o.toFree, o.fails = events, 0, 0, 0, fails
	for _, e := range events {
		if releases(e.Kind) {
			o.toFree += int(e.Size)
		}
	}
}

func (o *oracle) release(_, size uint64) { o.freed += int(size) }

// next is the next thing the trace says the driver gave. While releases are outstanding it had nothing.
func (o *oracle) next() (Event, bool) {
	if o.freed < o.toFree {
		return Event{}, false
	}
	for i, e := range o.events {
		if acquires(e.Kind) && i >= o.taken {
			o.taken = i + 1
			return e, true
		}
	}
	return Event{}, false
}

func (o *oracle) malloc(size uint64) (uint64, bool) {
	if e, ok := o.next(); ok {
		return e.Addr, true
	}
	if o.fails || o.freed < o.toFree {
		return 0, false
	}
	addr, _ := o.reserve(size) // the trace asked for none: far from all recorded addresses
	return addr, true
}

func (o *oracle) reserve(page uint64) (addr, size uint64) {
	addr, size = o.card.reserve(page)
	for i, e := range o.events {
		if e.Kind == snapshot.SegmentMap && i >= o.taken {
			return e.Addr, size
		}
	}
	return addr, size
}

func (o *oracle) grow(_, _ uint64) bool {
	if _, ok := o.next(); ok {
		return true
	}
	return !o.fails && o.freed >= o.toFree
}

type replayer struct {
	*program
	Replay
	a       *allocator
	oracle  *oracle
	blocks  []*block
	resets  int
	delayed bool // the frees just before were delayed ones
}

// replay runs a trace under its own settings and compares every address and every call of the driver.
func (p *program) replay(limit uint64) *Replay {
	r := &replayer{program: p, oracle: &oracle{}}
	r.a, r.blocks = restore(p.trace.Settings, r.oracle, limit, p.before, p.lanes, p.start, p.handles)
	r.a.logging = true
	r.Complete = len(p.start) == 0 && len(p.before) == 0
	for i := range p.ops {
		o := &p.ops[i]
		r.Events += int(o.to - o.from)
		if r.resets > patience {
			r.giveUp(o)
			continue
		}
		r.do(o)
	}
	r.PeakReserved, r.PeakAllocated = r.a.PeakReserved, r.a.PeakAllocated
	r.Retries, r.stats = r.a.Retries, r.a.Stats
	if r.resets <= patience {
		r.compareFinal()
	}
	return &r.Replay
}

func (r *replayer) do(o *op) {
	switch o.kind {
	case opAlloc, opFail:
		r.malloc(o)
		r.delayed = false
	case opEmptyCache:
		r.a.log = r.a.log[:0]
		r.oracle.begin(nil, false)
		r.a.releaseAll()
		if recorded := r.trace.Events[o.from:o.to]; !r.compare(recorded) {
			r.note(&Divergence{Event: int(o.from), Action: "empty_cache", Predicted: differing(r.a.log, recorded, "done"), Recorded: differing(recorded, r.a.log, "done"),
				Cause: "memory of a private pool was given back, or the trace and the final segments disagree"})
			r.reset(o, nil)
		}
	default:
		r.free(o)
		r.delayed = o.kind == opComplete
	}
}

func (r *replayer) free(o *op) {
	b := r.blocks[o.handle]
	if b == nil || !b.allocated && !b.pending {
		return
	}
	r.Exact += int(o.to - o.from)
	switch {
	case o.kind == opRequest:
		r.a.request(b)
		return
	case o.kind == opComplete && b.pending:
		r.a.complete(b)
	default:
		r.a.give(b)
	}
	r.blocks[o.handle] = nil
}

func (r *replayer) malloc(o *op) {
	events := r.trace.Events[o.from:o.to]
	driver := events[:len(events)-1]
	asked := &events[len(events)-1]
	r.oracle.begin(driver, o.kind == opFail)
	r.a.log = r.a.log[:0]
	// Frees that a full device made PyTorch wait for stand before its releases, and it does not search again.
	searched := r.delayed && r.oracle.toFree > 0
	r.bound(o, driver)
	b := r.a.malloc(r.a.open(r.lanes[o.lane]), o.size, searched)
	same := r.compare(driver)
	if o.kind == opFail {
		r.Exact += btoi(b == nil)
		if b != nil || !same {
			r.blocks[o.handle] = nil
			r.diverge(o, b, asked)
			r.reset(o, nil)
		}
		return
	}
	exact := b != nil && b.addr == asked.Addr
	r.Addresses.add(exact)
	r.Exact += btoi(exact)
	r.blocks[o.handle] = b
	if !exact || !same {
		r.diverge(o, b, asked)
		r.reset(o, asked)
	}
}

// bound learns what the device could hold: all that was held fit, what was refused did not.
func (r *replayer) bound(o *op, driver []Event) {
	want := r.a.settings.SegmentSize(r.a.settings.Round(o.size))
	total := r.a.Reserved
	for i, e := range driver {
		if releases(e.Kind) {
			if i == 0 && r.trace.Settings.GCThreshold == 0 { // else it may have been collected
				r.refuse(total + want)
			}
			total -= min(total, e.Size)
		} else {
			total += e.Size
		}
		r.held = max(r.held, total)
	}
	if o.kind == opFail {
		r.OOMs++
		r.refuse(total + want)
		r.device = max(r.device, total+r.trace.Events[o.to-1].Addr)
		r.room = r.trace.Events[o.to-1].Addr >= want
	}
}

func (r *replayer) refuse(total uint64) {
	if r.refused == 0 || total < r.refused {
		r.refused = total
	}
}

// compare counts the calls of the driver that were foretold.
func (r *replayer) compare(recorded []Event) bool {
	same := len(recorded) == len(r.a.log)
	for i := range recorded {
		exact := i < len(r.a.log) && sameCall(&r.a.log[i], &recorded[i])
		r.SegmentEvents.add(exact)
		r.Exact += btoi(exact)
		same = same && exact
	}
	return same
}

func sameCall(a, b *Event) bool { return a.Kind == b.Kind && a.Size == b.Size && a.Addr == b.Addr }

func (r *replayer) giveUp(o *op) {
	for _, e := range r.trace.Events[o.from:o.to] {
		switch {
		case e.Kind == snapshot.Alloc:
			r.Addresses.add(false)
		case acquires(e.Kind) || releases(e.Kind):
			r.SegmentEvents.add(false)
		}
	}
}

// reset sets the model to what the trace shows after a divergence, so that what follows counts for itself.
func (r *replayer) reset(o *op, alloc *Event) {
	r.resets++
	truth := held(r.a.layout())
	for i := len(r.a.log) - 1; i >= 0; i-- {
		truth.undo(&r.a.log[i])
	}
	events := r.trace.Events[o.from:o.to]
	for i := range events {
		truth.apply(&events[i])
	}
	var live []holding
	for h, b := range r.blocks {
		switch {
		case b == nil || int32(h) == o.handle && o.kind == opAlloc:
		case b.allocated || b.pending:
			live = append(live, holding{handle: int32(h), addr: b.addr, requested: b.requested, size: b.size, pending: b.pending})
		}
	}
	if alloc != nil {
		live = append(live, holding{handle: o.handle, addr: alloc.Addr, requested: alloc.Size})
	}
	sortHoldings(live)
	stats := r.a.Stats
	a, blocks := restore(r.a.settings, r.oracle, r.a.limit, truth, r.lanes, live, r.handles)
	a.logging = true
	a.PeakReserved, a.PeakAllocated = max(a.PeakReserved, stats.PeakReserved), max(a.PeakAllocated, stats.PeakAllocated)
	a.Retries, a.DeviceAllocs, a.DeviceFrees = stats.Retries, stats.DeviceAllocs, stats.DeviceFrees
	r.a, r.blocks = a, blocks
}

func (r *replayer) compareFinal() {
	if len(r.trace.Segments) == 0 {
		return
	}
	model := map[uint64]Block{}
	for _, s := range r.a.layout() {
		for _, b := range s.Blocks {
			model[b.Addr] = b
		}
	}
	for _, s := range r.trace.Segments {
		for _, b := range s.Blocks {
			m, ok := model[b.Addr]
			r.FinalBlocks.add(ok && m.Size == b.Size && m.Live == b.Live && m.Pending == b.Pending)
		}
	}
}

func (r *replayer) diverge(o *op, b *block, asked *Event) {
	predicted, recorded := "out of memory", fmt.Sprintf("%#x", asked.Addr)
	if b != nil {
		predicted = fmt.Sprintf("%#x", b.addr)
	}
	if asked.Kind == snapshot.OOM {
		recorded = "out of memory"
	}
	calls := r.trace.Events[o.from : o.to-1]
	r.note(&Divergence{Event: int(o.to) - 1, Action: asked.Kind.String(), Size: asked.Size,
		Predicted: differing(r.a.log, calls, predicted), Recorded: differing(calls, r.a.log, recorded), Cause: r.cause(o)})
}

// differing describes the first of some calls of the driver that is not as the other side has it, else what came
// of all of them.
func differing(calls, others []Event, outcome string) string {
	i := 0
	for i < len(calls) && i < len(others) && sameCall(&calls[i], &others[i]) {
		i++
	}
	switch {
	case i < len(calls):
		return fmt.Sprintf("%s of %#x, %d bytes", calls[i].Kind, calls[i].Addr, calls[i].Size)
	case i < len(others):
		return "no such call of the driver, " + outcome
	}
	return outcome
}

func (r *replayer) note(d *Divergence) {
	if r.FirstDivergence == nil {
		r.FirstDivergence = d
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
