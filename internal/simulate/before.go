package simulate

import (
	"cmp"
	"slices"
)

// holding is a request that was being served before the trace began.
type holding struct {
	handle    int32
	lane      uint16
	addr      uint64
	requested uint64
	size      uint64 // of its block where known, else 0
	pending   bool
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
	p.pages = p.trace.pages()
	p.before = held(p.trace.Segments)
	for i := len(p.trace.Events) - 1; i >= 0; i-- {
		p.before.undo(&p.trace.Events[i], p.pages)
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
