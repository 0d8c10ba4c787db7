package simulate

import "math"

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
	w.weigh(&c, w.baseline(from))
	if !w.Replay.Complete {
		c.include(w.at(&s, likeDriver(w.lowest()), asItLay+packed-from))
	}
	return c
}

// worthwhile is the least share of the peak that a setting must save or cost to be told from the recorded one.
const worthwhile = 0.03

// weigh sets a run against the recorded settings, under the same limits and from the same beginning. It is better
// or worse only if it is so wherever segments may have lain.
func (w *whatIf) weigh(c *Config, base outcome) {
	was := float64(base.PeakReserved)
	switch {
	case c.OOM:
		c.Effect = Fails
	case c.failed > 0 || was == 0:
		c.Effect = Same // it may fail, or nothing was ever held
	case base.failed != nil:
		c.Effect = Rescues
	case float64(c.Interval[1]) <= (1-worthwhile)*was:
		c.Effect = Lowers
	case float64(c.Interval[0]) >= (1+worthwhile)*was:
		c.Effect = Raises
	default:
		c.Effect = Same
	}
	if !c.OOM && base.failed == nil && was > 0 {
		change := float64(c.PeakReserved)/was - 1
		c.Change, c.base = &change, base.PeakReserved
	}
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
	if o.failed != nil {
		c.failed++
	}
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

// baseline is the run under the recorded settings.
func (w *whatIf) baseline(from beginning) outcome {
	if w.base[from] == nil {
		o, known := w.recorded(&w.trace.Settings)
		if !known || from == packed && !w.Replay.Complete {
			o = w.at(&w.trace.Settings, likeDriver(w.lowest()), from)
		}
		w.base[from] = &o
	}
	return *w.base[from]
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
