package detect

// beat follows how many steps lie between two evaluations, or two epochs: those are known to the step, while a heap
// that is dear to read shows its rises only to within a few.
type beat struct {
	last, gap int64
	times     int // how often the gap has come in a row
}

// steadyBeat is how often a gap must come in a row to be a beat.
const steadyBeat = 3

func (b *beat) mark(step int64) {
	if gap := step - b.last; b.last > 0 && gap == b.gap {
		b.times++
	} else {
		b.gap, b.times = gap, 1
	}
	b.last = step
}

// instead returns the beat in the place of a period that was measured to within stride steps, or the period.
func (b *beat) instead(period int64, stride float64) int64 {
	off := float64(b.gap - period)
	if b.times >= steadyBeat && b.gap > 1 && max(off, -off) <= max(stride, 1) {
		return b.gap
	}
	return period
}
