package simulate

import (
	"math"
	"slices"
)

// config runs one setting over all places where segments may have lain.
func (w *whatIf) config(conf string, s Settings) Config {
	c := Config{Conf: conf, settings: s, Interval: [2]uint64{math.MaxUint64, 0}}
	from := w.beginning(&s)
	first, known := w.recorded(&s)
	if !known {
		first = w.at(&s, likeDriver(w.lowest()), from)
	}
	c.include(first)
	c.PeakReserved, c.PeakAllocated, c.Retries, c.DeviceAllocs = first.PeakReserved, first.PeakAllocated, first.Retries, first.DeviceAllocs
	c.OOM, c.Failure = first.failed != nil, first.failed
	c.include(w.at(&s, ascending(), from))
	c.include(w.at(&s, descending(), from))
	for seed := uint64(0); seed < randomPlacements && c.Interval[0] < c.Interval[1]; seed++ {
		c.include(w.at(&s, random(seed), from))
	}
	if !w.Replay.Complete {
		c.include(w.at(&s, likeDriver(w.lowest()), asItLay+packed-from))
	}
	if base := w.baseline(from); base > 0 {
		c.Change = float64(c.PeakReserved)/float64(base) - 1
	}
	return c
}

// recorded is the run itself, with the places that its segments really had, if these are its settings and limits.
func (w *whatIf) recorded(s *Settings) (outcome, bool) {
	r := w.Replay
	if *s != w.trace.Settings || r.FirstDivergence != nil || r.OOMs > 0 {
		return outcome{}, false
	}
	bound := w.capacity
	if w.limit > 0 && (bound == 0 || w.limit < bound) {
		bound = w.limit
	}
	fits := bound == 0 || bound >= r.held
	refuses := r.refused == 0 || bound > 0 && bound < r.refused
	return outcome{Stats: r.stats}, fits && refuses
}

// randomPlacements are tried where the orderly ones do not agree.
const randomPlacements = 4

func (c *Config) include(o outcome) {
	c.Interval[0], c.Interval[1] = min(c.Interval[0], o.PeakReserved), max(c.Interval[1], o.PeakReserved)
}

func (w *whatIf) at(s *Settings, place func(uint64) uint64, from beginning) outcome {
	limit := w.limit
	if s.Fraction > 0 && w.capacity > 0 {
		limit = uint64(s.Fraction * float64(w.capacity))
	}
	return w.run(*s, &card{capacity: w.capacity, place: place}, limit, from)
}

// beginning is what a run starts from. Segments that were recorded before the trace began would not have
// been there with expandable segments, nor the other way round.
func (w *whatIf) beginning(s *Settings) beginning {
	if w.Replay.Complete || s.Expandable != w.trace.Settings.Expandable {
		return packed
	}
	return asItLay
}

// baseline is the peak of the recorded settings from the same beginning: as replayed, or, where the trace
// lost its beginning and other segments are started from, run in the same way.
func (w *whatIf) baseline(from beginning) uint64 {
	if w.Replay.Complete || from == asItLay {
		return w.Replay.PeakReserved
	}
	if w.packed == 0 {
		w.packed = w.at(&w.trace.Settings, likeDriver(w.lowest()), packed).PeakReserved
	}
	return w.packed
}

// lowest is an address below all recorded segments.
func (w *whatIf) lowest() uint64 {
	lowest := uint64(1) << 47
	for _, s := range w.before {
		if !s.Expandable {
			lowest = min(lowest, s.Addr)
		}
	}
	return lowest
}

const (
	growthWindows = 8
	growthShare   = 200 // growth under a two hundredth of the peak changes no setting's worth
)

// growth is by how much live memory rises from window to window over the trace, 0 if it does not. It is
// read from the lowest point of each window, and the first fifth of the trace may do as it likes.
func (w *whatIf) growth() uint64 {
	live := make([]uint64, 0, len(w.ops))
	size := make([]uint64, w.handles)
	now, peak := uint64(0), uint64(0)
	for _, h := range w.start {
		size[h.handle] = h.requested
		now += h.requested
	}
	for i := range w.ops {
		switch o := &w.ops[i]; o.kind {
		case opAlloc:
			size[o.handle] = o.size
			now += o.size
		case opFree, opRequest:
			now -= size[o.handle]
			size[o.handle] = 0
		}
		live = append(live, now)
		peak = max(peak, now)
	}
	live = live[len(live)/5:]
	if len(live) < growthWindows {
		return 0
	}
	var troughs []uint64
	for window := range slices.Chunk(live, (len(live)+growthWindows-1)/growthWindows) {
		troughs = append(troughs, slices.Min(window))
	}
	rises := 0
	for i := 1; i < len(troughs); i++ {
		if troughs[i] < troughs[i-1] {
			return 0
		}
		if troughs[i] > troughs[i-1] {
			rises++
		}
	}
	if rise := troughs[len(troughs)-1] - troughs[0]; rises > 1 && rise > peak/growthShare {
		return rise
	}
	return 0
}
