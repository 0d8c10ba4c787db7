package detect

import "math/bits"

// scale estimates how much a series usually moves from sample to sample: a histogram of the sizes of its
// changes by powers of two that forgets.
type scale struct {
	counts [64]uint16
	total  uint16
}

func (s *scale) add(change int64) {
	if change < 0 {
		change = -change
	}
	s.counts[bits.Len64(uint64(change))%64]++
	if s.total++; s.total == 128 {
		s.total = 0
		for i := range s.counts {
			s.counts[i] /= 2
			s.total += s.counts[i]
		}
	}
}

// usual is a bound that half of the changes stay below; 0 when half of them are no change.
func (s *scale) usual() int64 {
	var seen uint16
	for i, c := range s.counts {
		if seen += c; 2*seen >= s.total {
			return int64(1)<<i - 1
		}
	}
	return 0
}

// rise is a single step up that stood out and was not taken back since.
type rise struct {
	at   int64 // number of the first sample after it
	base int64 // value before
	size int64
}

// rises follows the steps up that stand out. Growth every k-th step, per evaluation or per epoch is a row of
// them.
type rises struct {
	list []rise // oldest first, at most maxRises
}

const maxRises = 6

// observe takes sample number at, which changed the series by change to value; least is the smallest change
// that stands out.
func (r *rises) observe(at, value, change, least int64) {
	kept := r.list[:0]
	for _, e := range r.list {
		if value >= e.base+e.size/2 {
			kept = append(kept, e)
		}
	}
	r.list = kept
	if change < least {
		return
	}
	if n := len(r.list); n > 0 && r.list[n-1].at == at-1 { // one rise that took two samples
		r.list[n-1].size += change
		return
	}
	if len(r.list) == maxRises {
		r.list = append(r.list[:0], r.list[1:]...)
	}
	r.list = append(r.list, rise{at: at, base: value - change, size: change})
}

// periodic reports a row of rises that makes periodic growth likely, and its period in samples: two of the
// same size, or three of any.
func (r *rises) periodic() (first rise, period int64, ok bool) {
	n := len(r.list)
	if n >= 2 {
		a, b := r.list[n-2], r.list[n-1]
		if gap := b.at - a.at; gap >= 2 && alike(a.size, b.size) && (n < 3 || !alike(a.size, r.list[n-3].size) || near(gap, a.at-r.list[n-3].at)) {
			return r.run(n, gap), gap, true
		}
	}
	if n >= 4 {
		a, d := r.list[n-4], r.list[n-1]
		return a, max(2, (d.at-a.at+1)/3), true
	}
	return rise{}, 0, false
}

// run returns the oldest rise from which every gap up to the newest of the first n is about gap.
func (r *rises) run(n int, gap int64) rise {
	i := n - 2
	for i > 0 && near(r.list[i].at-r.list[i-1].at, gap) && alike(r.list[i-1].size, r.list[i].size) {
		i--
	}
	return r.list[i]
}

func alike(a, b int64) bool { return 4*min(a, b) >= 3*max(a, b) }

func near(a, b int64) bool { return a-b <= max(1, b/4) && b-a <= max(1, b/4) }
