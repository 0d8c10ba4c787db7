package simulate

import "slices"

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

type replayer struct {
	*program
	Replay
	a       *allocator
	oracle  *oracle
	blocks  []*block
	shelves []*[2]*shelf // by lane
	resets  int
}

// replay runs a trace under its own settings and compares every address and every call of the driver.
func (p *program) replay(limit uint64) *Replay {
	r := &replayer{program: p, oracle: &oracle{}}
	a, blocks := restore(p.trace.Settings, r.oracle, limit, p.before, p.lanes, p.start, p.handles)
	r.use(a, blocks)
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
	r.PeakReserved, r.PeakAllocated = p.peak(), r.a.PeakAllocated
	r.Retries, r.stats = r.a.Retries, r.a.Stats
	if r.resets <= patience {
		r.compareFinal()
	}
	return &r.Replay
}

// use goes on with an allocator.
func (r *replayer) use(a *allocator, blocks []*block) {
	a.logging = true
	r.a, r.blocks, r.shelves = a, blocks, r.open(a)
}

func (r *replayer) do(o *op) {
	switch o.kind {
	case opAlloc, opFail:
		r.malloc(o)
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
	}
}

func (r *replayer) free(o *op) {
	b := of(r.blocks, o.handle)
	if b == nil {
		// The model waited for it where the recorded run did, or never had it.
		return
	}
	r.Exact += int(o.to - o.from)
	switch {
	case o.kind == opRequest && b.pending:
		return // asked for twice
	case o.kind == opRequest:
		r.a.request(b)
		return
	case b.pending:
		r.a.complete(b)
	default:
		r.a.give(b)
	}
}

func (r *replayer) malloc(o *op) {
	events := r.trace.Events[o.from:o.to]
	driver := events[:len(events)-1]
	asked := &events[len(events)-1]
	r.oracle.begin(driver, o.kind == opFail)
	r.a.log = r.a.log[:0]
	// One that failed or released memory had found nothing, whatever the frees brought back that it waited for before that.
	searched := o.kind == opFail || slices.ContainsFunc(driver, func(e Event) bool { return releases(e.Kind) })
	r.bound(o, driver)
	b := r.a.malloc(r.shelves[o.lane], o.size, searched)
	same := r.compare(driver)
	if o.kind == opFail {
		r.Exact += btoi(b == nil)
		if b != nil || !same {
			r.diverge(o, b, asked)
			r.reset(o, nil)
		}
		return
	}
	exact := b != nil && b.addr == asked.Addr
	r.Addresses.add(exact)
	r.Exact += btoi(exact)
	if b != nil {
		r.blocks[o.handle], b.owner = b, o.handle+1
	}
	if !exact || !same {
		r.diverge(o, b, asked)
		r.reset(o, asked)
	}
}

// bound learns what the device could hold: all that was held fit, what was refused did not.
func (r *replayer) bound(o *op, driver []Event) {
	want := r.a.settings.SegmentSize(r.a.settings.Round(o.size))
	total := r.a.Reserved
	r.held = max(r.held, total)
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

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
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
