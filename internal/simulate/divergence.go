package simulate

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/snapshot"
)

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
		truth.undo(&r.a.log[i], r.pages)
	}
	events := r.trace.Events[o.from:o.to]
	for i := range events {
		truth.apply(&events[i], r.pages)
	}
	var live []holding
	for h := range r.handles {
		if b := of(r.blocks, h); b != nil && (h != o.handle || o.kind != opAlloc) {
			live = append(live, holding{handle: h, addr: b.addr, requested: b.requested, size: b.size, pending: b.pending})
		}
	}
	if alloc != nil {
		live = append(live, holding{handle: o.handle, addr: alloc.Addr, requested: alloc.Size})
	}
	sortHoldings(live)
	stats := r.a.Stats
	a, blocks := restore(r.a.settings, r.oracle, r.a.limit, truth, r.lanes, live, r.handles)
	a.PeakAllocated = max(a.PeakAllocated, stats.PeakAllocated)
	a.Retries, a.DeviceAllocs, a.DeviceFrees = stats.Retries, stats.DeviceAllocs, stats.DeviceFrees
	r.use(a, blocks)
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
