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

// climbs reports that the floors of the last n completed windows of level k rise strictly.
func (h *history) climbs(k int, n int64) bool {
	l := &h.levels[k]
	if l.n < n {
		return false
	}
	for i := l.n - n + 1; i < l.n; i++ {
		if l.kept[i%levelSize].min <= l.kept[(i-1)%levelSize].min {
			return false
		}
	}
	return true
}

// at returns sample i, which must not be older than oldest.
func (h *history) at(i int64) point { return h.ring[i%ringSize] }

// oldest is the number of the oldest sample kept one by one.
func (h *history) oldest() int64 { return max(0, h.n-ringSize) }

// after returns the number of the first sample behind the step that is still kept one by one, n for none.
func (h *history) after(step int64) int64 {
	i := h.n
	for i > h.oldest() && h.at(i-1).step > step {
		i--
	}
	return i
}

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

// lastFloors returns the floors of the last three runs of w samples. Where they are no longer kept one by one the
// stored windows that reach back far enough are shared out between the three.
func (h *history) lastFloors(w int64) (a, b, c int64, ok bool) {
	if h.n < 3*w {
		return 0, 0, 0, false
	}
	if 3*w <= ringSize {
		return h.floor(h.n-3*w, h.n-2*w), h.floor(h.n-2*w, h.n-w), h.floor(h.n-w, h.n), true
	}
	for k := range h.levels {
		length := int64(1) << (k + firstLevel)
		if length*(levelSize-1) < 3*w {
			continue
		}
		ws := h.last(k, int(3*w/length))
		third := len(ws) / 3
		if third == 0 {
			break
		}
		return lowest(ws[:third]), lowest(ws[third : 2*third]), lowest(ws[2*third:]), true
	}
	return 0, 0, 0, false
}

func lowest(ws []window) int64 {
	low := ws[0].min
	for _, w := range ws {
		low = min(low, w.min)
	}
	return low
}
