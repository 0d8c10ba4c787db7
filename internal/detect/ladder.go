package detect

// rungs is the most windows a ladder has.
const rungs = 48

// ladder cuts one growth, from its beginning on, into windows of a whole number of periods: at most rungs of
// them, whatever its age. When it is full, neighbours are joined.
type ladder struct {
	length int64 // samples in a window
	done   []window
	open   window
	filled int64
	next   int64 // number of the sample to come; those before are in already
}

func newLadder(length int64) ladder { return ladder{length: length} }

// add takes the next sample, number at.
func (l *ladder) add(at int64, p point) {
	if at < l.next {
		return
	}
	l.next = at + 1
	if l.filled == 0 {
		l.open = window{step: p.step, start: at, min: p.value, max: p.value}
	} else {
		l.open.min, l.open.max = min(l.open.min, p.value), max(l.open.max, p.value)
	}
	if l.filled++; l.filled < l.length {
		return
	}
	l.filled = 0
	if l.done = append(l.done, l.open); len(l.done) == rungs {
		l.done = join(l.done, 2)
		l.length *= 2
	}
}

// windows returns the windows that hold at least least samples each and end before sample number to, and their
// length.
func (l *ladder) windows(least, to int64) ([]window, int64) {
	n := max(1, (least+l.length-1)/l.length)
	count := 0
	for count < len(l.done) && l.done[count].start+l.length <= to {
		count++
	}
	return join(append([]window(nil), l.done[:count]...), int(n)), n * l.length
}

// join makes one window of every n, in place, and leaves out a rest at the end.
func join(ws []window, n int) []window {
	if n <= 1 {
		return ws
	}
	out := ws[:0]
	for ; len(ws) >= n; ws = ws[n:] {
		w := ws[0]
		for _, next := range ws[1:n] {
			w.min, w.max = min(w.min, next.min), max(w.max, next.max)
		}
		out = append(out, w)
	}
	return out
}

// floors returns where each window begins and its smallest value.
func floors(ws []window) (x, y []float64) {
	x, y = make([]float64, len(ws)), make([]float64, len(ws))
	for i, w := range ws {
		x[i], y[i] = float64(w.step), float64(w.min)
	}
	return x, y
}
