package detect

import "math"

const (
	ringSize   = 1024 // samples kept one by one
	levelSize  = 32   // windows kept of each length
	firstLevel = 2    // shortest window is 2^firstLevel samples
)

// point is one sample of one series.
type point struct {
	step  int64
	value int64
}

// window is the extent of a run of samples.
type window struct {
	step     int64 // of the first sample
	start    int64 // number of the first sample
	min, max int64
}

// history keeps a series in bounded memory: the recent past sample by sample, all of it as windows of 4, 8,
// 16, … samples, the newest 32 of each length. Samples are numbered from 0 in order of arrival; a step that
// was not read has no number.
type history struct {
	n      int64
	ring   [ringSize]point
	levels []level
}

type level struct {
	n      int64 // windows completed
	open   window
	filled int64 // samples (or windows of the level below) in open
	kept   [levelSize]window
}

// push appends a sample and returns the length of the longest window it completed, as a level number; -1 for
// none. All levels up to that one completed a window too.
func (h *history) push(p point) int {
	h.ring[h.n%ringSize] = p
	w := window{step: p.step, start: h.n, min: p.value, max: p.value}
	h.n++
	need := int64(1) << firstLevel
	for k := 0; ; k++ {
		if k == len(h.levels) {
			h.levels = append(h.levels, level{})
		}
		l := &h.levels[k]
		if !l.add(w, need) {
			return k - 1
		}
		w, need = l.kept[(l.n-1)%levelSize], 2
	}
}

// add puts w into the open window and reports whether that completed it.
func (l *level) add(w window, need int64) bool {
	if l.filled == 0 {
		l.open = w
	} else {
		l.open.min, l.open.max = min(l.open.min, w.min), max(l.open.max, w.max)
	}
	if l.filled++; l.filled < need {
		return false
	}
	l.kept[l.n%levelSize] = l.open
	l.n++
	l.filled = 0
	return true
}

// last returns the last n completed windows of level k, oldest first; fewer when there are fewer.
func (h *history) last(k, n int) []window {
	l := &h.levels[k]
	n = int(min(int64(n), l.n, levelSize))
	out := make([]window, n)
	for i := range out {
		out[i] = l.kept[(l.n-int64(n-i))%levelSize]
	}
	return out
}

// at returns sample i, which must not be older than oldest.
func (h *history) at(i int64) point { return h.ring[i%ringSize] }

// oldest is the number of the oldest sample kept one by one.
func (h *history) oldest() int64 { return max(0, h.n-ringSize) }

// floor returns the smallest value of the samples from (inclusive) to to (exclusive) that are still kept one
// by one.
func (h *history) floor(from, to int64) int64 {
	low := int64(math.MaxInt64)
	for i := max(from, h.oldest()); i < min(to, h.n); i++ {
		low = min(low, h.at(i).value)
	}
	return low
}

// ceiling is the counterpart of floor.
func (h *history) ceiling(from, to int64) int64 {
	high := int64(math.MinInt64)
	for i := max(from, h.oldest()); i < min(to, h.n); i++ {
		high = max(high, h.at(i).value)
	}
	return high
}

// windows cuts the samples from (inclusive) to to (exclusive) into windows of length q that end at to, oldest
// first. Where the samples are no longer kept one by one the stored windows of the finest level that
// reaches back far enough are returned, and their length instead of q.
func (h *history) windows(from, to, q int64) ([]window, int64) {
	if from >= h.oldest() {
		return h.cut(from, to, q), q
	}
	for k := range h.levels {
		ws := h.last(k, levelSize)
		length := int64(1) << (k + firstLevel)
		if len(ws) == 0 || (ws[0].start > from+length && k+1 < len(h.levels) && h.levels[k+1].n > 0) {
			continue
		}
		inside := ws[:0]
		for _, w := range ws {
			if w.start >= from && w.start+length <= to {
				inside = append(inside, w)
			}
		}
		return inside, length
	}
	return nil, q
}

func (h *history) cut(from, to, q int64) []window {
	first := from + (to-from)%q
	out := make([]window, 0, (to-from)/q)
	for a := first; a < to; a += q {
		w := window{step: h.at(a).step, start: a, min: h.at(a).value, max: h.at(a).value}
		for i := a + 1; i < a+q; i++ {
			w.min, w.max = min(w.min, h.at(i).value), max(w.max, h.at(i).value)
		}
		out = append(out, w)
	}
	return out
}
