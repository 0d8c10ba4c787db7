package detect

// growth is one stretch of samples in which a series grew.
type growth struct {
	start
	found   int64 // step at which it was noticed
	until   int64 // step it ended at; 0 while it goes on
	grown   int64 // what it gained, known at its end
	asked   bool  // evidence was gathered in it
	asking  int64 // period that evidence was last asked for with
	proven  bool  // evidence found survivors in it
	briefly bool  // it was one window of evidence: the whole answer may take it back
	claim   claim // what they must have added to the live bytes

	ladder  ladder
	rate    rate
	rated   int64 // number of samples when rate was measured
	checked int64 // number of the sample at which it was last tested for an end
	still   int64 // number of the sample since which it looks ended; 0 it does not
	record  int64 // largest value so far
	highest int64 // number of the sample that was the record
	pause   int64 // longest wait for a new record
	tested  int64 // number of samples when last tested for steadiness
	steady  bool  // it was steady then
}

// start is where a growth began.
type start struct {
	first  int64 // number of the first sample that had grown
	since  int64 // step of that sample
	base   int64 // value before it
	period int64 // samples from rise to rise
	window int64 // samples in a window whose floors show the growth
}

// begin starts a growth, noticed at sample number at.
func (t *track) begin(at int64, s start) {
	now := t.hist.at(at)
	t.growth = &growth{start: s, found: now.step, record: now.value, highest: at, checked: at}
	t.rebuild()
	t.measure()
	if first := t.onset(); first != s.first {
		t.moveTo(first)
	}
}

// moveTo sets the beginning of the growth to another sample, which is still kept.
func (t *track) moveTo(first int64) {
	first = max(1, first)
	if first-1 < t.hist.oldest() {
		return
	}
	t.growth.first, t.growth.since, t.growth.base = first, t.hist.at(first).step, t.hist.at(first-1).value
	t.rebuild()
	t.measure()
}

// rebuild cuts the samples of the growth that are still kept into windows, from the one before the first.
func (t *track) rebuild() {
	g, h := t.growth, &t.hist
	g.ladder = newLadder(g.period)
	from := g.first - 1
	if late := h.oldest() - from; late > 0 {
		from += (late + g.period - 1) / g.period * g.period
	}
	for i := from; i < h.n; i++ {
		g.ladder.add(i, h.at(i))
	}
}

// follow goes on with a growth after sample number at: measures it again from time to time and ends it when it
// stopped.
func (t *track) follow(at, value int64) {
	g := t.growth
	g.ladder.add(at, t.hist.at(at))
	if value > g.record {
		g.pause = max(g.pause, at-g.highest)
		g.record, g.highest = value, at
	}
	if age := t.hist.n - g.first; age <= 16 || t.hist.n-g.rated >= age/8 {
		t.measure()
		// The beginning is only ever moved back: the older a growth, the less a window tells of where it began.
		if first := t.onset(); first < g.first {
			t.moveTo(first)
		}
		if t.slowed() {
			t.end(at, t.patience())
			return
		}
	}
	w := t.patience()
	if at-g.checked < max(1, w/8) {
		return
	}
	g.checked = at
	switch {
	case !t.stopped(at, w):
		g.still = 0
	case g.still == 0:
		g.still = at
	case at-g.still >= w/2: // a drop at the edge of a window passes for an end for a moment
		t.end(at, w)
	}
}

// retime corrects the period of the growth: to that of a row of rises that make up most of it, or to every
// sample when it rises without a pause.
func (t *track) retime(at int64, rose bool) {
	g := t.growth
	if g.period > 1 && (t.run >= 2*g.period+2 || t.creeps(at)) {
		g.period, g.window = 1, max(4, g.window)
		t.rebuild()
		t.measure()
		return
	}
	if !rose {
		return
	}
	if g.period > 1 {
		if gap, ok := t.rises.regular(t.last().value, t.stride()); ok && !near(gap, g.period) {
			g.period, g.window = gap, gap
			t.rebuild()
			t.measure()
		}
		return
	}
	first, period, ok := t.rises.periodic(t.last().value, t.stride())
	if !ok || first.at <= settle || at-period < t.hist.oldest() {
		return
	}
	gain := t.hist.at(at).value - t.hist.at(at-period).value
	if newest := t.rises.newest(); 10*newest.size >= 7*gain && newest.size >= first.size/2 {
		since := g.since // it is the same growth, told from steady growth only now
		asked, proven, briefly, claimed, found := g.asked, g.proven, g.briefly, g.claim, g.found
		t.begin(at, first.start(period))
		t.growth.asked, t.growth.proven, t.growth.briefly = asked, proven, briefly
		t.growth.claim, t.growth.found = claimed, found
		t.growth.since = min(since, t.growth.since)
	}
}

// creeps reports that most of what the last two periods gained came in other samples than the largest two rises.
func (t *track) creeps(at int64) bool {
	h, from := &t.hist, at-2*t.growth.period
	if t.growth.period < 3 || from < max(settle, h.oldest()) {
		return false
	}
	var first, second int64
	for i := from + 1; i <= at; i++ {
		if c := h.at(i).value - h.at(i-1).value; c > first {
			first, second = c, first
		} else {
			second = max(second, c)
		}
	}
	gain := h.at(at).value - h.at(from).value
	return gain > 0 && 2*(first+second) < gain
}

// patience is the length of the windows in which growth must show, in samples: two periods, two of the
// longest pauses so far, and long enough to rise out of the noise.
func (t *track) patience() int64 {
	g := t.growth
	w := max(8, 2*g.period, 2*g.pause)
	if g.rate.Mid > 0 {
		if out := 2 * g.rate.noise / (g.rate.Mid * t.stride()); out > float64(w) {
			w = int64(min(out, 1<<20))
		}
	}
	return w
}

// stopped reports that the floor did not rise over the last three windows of length w. Two windows would let a
// single drop of the series pass for an end.
func (t *track) stopped(at, w int64) bool {
	g := t.growth
	if at+1-2*w < g.first {
		return false
	}
	a, b, c, ok := t.hist.lastFloors(w)
	if !ok {
		return false
	}
	enough := g.rate.Mid * t.stride() * float64(w) / 4
	before, after := float64(b-a) > enough, float64(c-b) > enough
	if before && after && at-g.highest > w { // a drop took the record out of reach
		g.record, g.highest = t.hist.ceiling(at+1-w, at+1), at
	}
	return !before && !after
}

// end closes the growth and keeps it if it is the largest so far, or was proven.
func (t *track) end(at, w int64) {
	g, h := t.growth, &t.hist
	plateau := h.floor(at+1-2*w, at+1)
	stop := max(g.first, h.oldest())
	for stop < at && h.at(stop).value < plateau {
		stop++
	}
	g.until = h.at(stop).step
	g.rate = t.rateUntil(stop + 1)
	g.grown = min(plateau-g.base, int64(g.rate.Mid*float64(g.until-g.since+1)*5/4)) // a jump in between is no growth
	t.growth = nil
	if stop < heldSettle && !g.proven {
		return // the series found its size
	}
	if g.grown > 0 && (t.past == nil || t.past.grown < g.grown || g.proven) {
		g.proven = g.proven || t.past != nil && t.past.proven
		t.past = g
	}
}
