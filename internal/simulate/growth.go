package simulate

import "slices"

const (
	growthWindows = 8
	growthShare   = 200 // a two hundredth of the peak is neither a rise nor a fall: windows begin anywhere in a step
)

// growth is by how much live memory rises from window to window over the trace, 0 if it does not. It is
// read from the lowest point of each window. The first fifth of the trace may do as it likes, and what is let go
// when the program ends, behind the last request, does not count.
func (w *whatIf) growth() uint64 {
	live := make([]uint64, 0, len(w.ops))
	size := make([]uint64, w.handles)
	now, peak, end := uint64(0), uint64(0), 0
	for _, h := range w.start {
		if !h.pending {
			size[h.handle] = h.requested
			now += h.requested
		}
	}
	for i := range w.ops {
		o := &w.ops[i]
		switch o.kind {
		case opAlloc:
			size[o.handle] = o.size
			now += o.size
		case opFree, opRequest:
			now -= size[o.handle]
			size[o.handle] = 0
		}
		live = append(live, now)
		peak = max(peak, now)
		if o.kind == opAlloc {
			end = len(live)
		}
	}
	live = live[end/5 : end]
	if len(live) < growthWindows {
		return 0
	}
	var troughs []uint64
	for window := range slices.Chunk(live, (len(live)+growthWindows-1)/growthWindows) {
		troughs = append(troughs, slices.Min(window))
	}
	rises, least := 0, peak/growthShare
	for i := 1; i < len(troughs); i++ {
		switch before := troughs[i-1]; {
		case troughs[i]+least < before:
			return 0
		case troughs[i] > before+least:
			rises++
		}
	}
	if rises < 2 || troughs[len(troughs)-1] < troughs[0] {
		return 0
	}
	return troughs[len(troughs)-1] - troughs[0]
}
