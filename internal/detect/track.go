package detect

// settle is how many samples at the start are never judged: model, first gradients, first buffers.
const settle = 3

// track follows one series and says whether it grows.
type track struct {
	name   string
	least  float64 // growth per step below this is of no interest
	warmup int64   // steps up to this one are not judged
	hist   history
	scale  scale
	rises  rises
	teeth  teeth
	run    int64 // newest samples in a row that each rose
	growth *growth
	past   *growth // the largest growth that ended
}

// growth is one stretch of steps in which the series grew.
type growth struct {
	first   int64 // number of the sample it began at
	period  int64 // samples between rises
	found   int64 // step at which it was noticed
	since   int64 // step it began at
	until   int64 // step it ended at; 0 while it goes on
	asked   bool  // evidence was gathered in it
	proven  bool  // evidence found survivors in it
	rate    rate
	rated   int64 // number of samples when rate was measured
	checked int64 // number of samples when last tested for an end
	still   int64 // number of the sample since which it looks ended; 0 it does not
	record  int64 // largest value so far
	highest int64 // number of the sample that was the record
	pause   int64 // longest wait for a new record
	grown   int64 // units gained, filled in at the end
	tested  int64 // number of samples when last tested for steadiness
	steady  bool  // it was steady then
}

func newTrack(name string, least float64, warmup int64) *track {
	return &track{name: name, least: least, warmup: warmup}
}

// observe takes the value at the end of a step. collected says that the collector ran in it.
func (t *track) observe(step, value int64, collected bool) {
	if step <= t.warmup {
		return
	}
	var change int64
	if t.hist.n > 0 {
		change = value - t.hist.at(t.hist.n-1).value
	}
	completed := t.hist.push(point{step, value})
	at := t.hist.n - 1
	if at < settle {
		return
	}
	standsOut := max(4*(t.scale.usual()+1), int64(t.least))
	t.scale.add(change)
	t.rises.observe(at, value, change, standsOut)
	t.teeth.observe(value, change, collected)
	if change > 0 {
		t.run++
	} else {
		t.run = 0
	}
	if t.growth == nil {
		t.notice(at, change >= standsOut, completed)
		return
	}
	t.retime(at, change >= standsOut)
	t.follow(at, value)
}

// notice starts a growth when one shows.
func (t *track) notice(at int64, rose bool, completed int) {
	switch {
	case t.rising(at):
		t.begin(at, at-t.run+1, 1)
	case rose && t.repeats(at):
	case completed >= 0:
		for k := 0; k <= completed; k++ {
			if first, ok := t.climbing(k); ok {
				t.begin(at, first, 1)
				return
			}
		}
	}
}

// rising: four rises in a row, the last not far smaller than the rest, to a height not seen lately. Three are
// enough when they are equal.
func (t *track) rising(at int64) bool {
	const row = 4
	if t.run < row-1 {
		return false
	}
	h := &t.hist
	now, from := h.at(at), h.at(at-t.run)
	gain := now.value - from.value
	if float64(gain) < t.least*float64(now.step-from.step) {
		return false
	}
	last := now.value - h.at(at-1).value
	if last*8*t.run < gain || t.run < row && (last*t.run != gain || h.at(at-1).value-h.at(at-2).value != last) {
		return false
	}
	before := max(settle, at-t.run-64)
	return before >= at-t.run || now.value > h.ceiling(before, at-t.run)+gain/4
}

// repeats: rises that stand out, in a row with a period, each of which stayed.
func (t *track) repeats(at int64) bool {
	first, period, ok := t.rises.periodic()
	if !ok || float64(first.size) < t.least*float64(period) {
		return false
	}
	t.begin(at, first.at, period)
	return true
}

// climbing: the floors of the last five windows of level k rise strictly, out of the range that one window
// usually covers.
func (t *track) climbing(k int) (first int64, ok bool) {
	const row = 5
	ws := t.hist.last(k, levelSize)
	if len(ws) < row {
		return 0, false
	}
	last := ws[len(ws)-row:]
	for i := 1; i < row; i++ {
		if last[i].min <= last[i-1].min {
			return 0, false
		}
	}
	gain := float64(last[row-1].min - last[0].min)
	if last[0].start < settle || gain < t.least*float64(last[row-1].step-last[0].step) {
		return 0, false
	}
	for _, w := range ws[:len(ws)-row] {
		if w.start >= settle && w.min >= last[row-1].min {
			return 0, false
		}
	}
	var ranges []float64
	for _, w := range last {
		ranges = append(ranges, float64(w.max-w.min))
	}
	if gain < median(ranges) {
		return 0, false
	}
	return last[0].start, true
}

func (t *track) begin(at, first, period int64) {
	now := t.hist.at(at)
	t.growth = &growth{first: max(1, first), period: period, found: now.step, record: now.value, highest: at, checked: at}
	t.measure()
}

// last returns the newest sample.
func (t *track) last() point { return t.hist.at(t.hist.n - 1) }

// seen is how many samples were judged.
func (t *track) seen() int64 { return t.hist.n }
