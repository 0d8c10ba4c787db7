package simulate

// outcome is what one run under given settings came to.
type outcome struct {
	Stats
	failed *Failure // the first request that ran out of memory; nothing is run behind it
}

// Failure is a request that the device had no room for.
type Failure struct {
	Event     int    `json:"event"` // index of the entry
	Requested uint64 `json:"requested_bytes"`
	Allocated uint64 `json:"allocated_bytes"`
	Reserved  uint64 `json:"reserved_bytes"`
	Largest   uint64 `json:"largest_free_bytes"`
	Missing   uint64 `json:"missing_bytes"` // what the limit would have to be higher
}

// beginning is what a run starts from when the trace has lost its beginning.
type beginning int

const (
	packed  beginning = iota // what was alive is asked for again, by address
	asItLay                  // segments and blocks as recorded
)

// run lets the program's requests go through an allocator.
func (p *program) run(s Settings, d *card, limit uint64, from beginning) outcome {
	var a *allocator
	blocks := make([]*block, p.handles)
	if from == asItLay {
		a, blocks = restore(p.trace.Settings, d, limit, p.before, p.lanes, p.start, p.handles)
		a.settings, d.held = s, a.Reserved
	} else {
		a = newAllocator(s, d, limit)
	}
	lanes := p.open(a)
	if from == packed {
		for i := range p.start {
			if h := &p.start[i]; !p.serve(a, blocks, lanes[h.lane], h.handle, h.requested) {
				return outcome{a.Stats, a.failure(0, h.requested, d)}
			} else if h.pending {
				a.request(blocks[h.handle])
			}
		}
	}
	for i := range p.ops {
		o := &p.ops[i]
		switch o.kind {
		case opAlloc, opFail:
			if !p.serve(a, blocks, lanes[o.lane], o.handle, o.size) {
				return outcome{a.Stats, a.failure(int(o.to)-1, o.size, d)}
			}
		case opFree:
			if b := of(blocks, o.handle); b != nil && b.allocated {
				a.give(b)
			} else if b != nil {
				a.complete(b)
			}
		case opRequest:
			if b := of(blocks, o.handle); b != nil && b.allocated {
				a.request(b)
			}
		case opComplete:
			// A full device or an empty cache may have waited for it earlier than the recorded run did.
			if b := of(blocks, o.handle); b != nil && b.pending {
				a.complete(b)
			}
		case opEmptyCache:
			a.releaseAll()
		}
	}
	return outcome{Stats: a.Stats}
}

func (p *program) serve(a *allocator, blocks []*block, shelves *[2]*shelf, handle int32, size uint64) bool {
	b := a.malloc(shelves, size, false)
	if b == nil {
		return false
	}
	blocks[handle], b.owner = b, handle+1
	return true
}

func (a *allocator) failure(event int, request uint64, d *card) *Failure {
	f := &Failure{Event: event, Requested: request, Allocated: a.Allocated, Reserved: a.Reserved}
	for _, s := range a.shelves {
		for _, half := range s {
			if p := half.free.below(beyond); p.valid() {
				f.Largest = max(f.Largest, half.free.at(p).size)
			}
		}
	}
	bound := a.limit
	if d.capacity > 0 && (bound == 0 || d.capacity < bound) {
		bound = d.capacity
	}
	if need := a.Reserved + a.settings.SegmentSize(a.settings.Round(request)); need > bound {
		f.Missing = need - bound
	}
	return f
}
