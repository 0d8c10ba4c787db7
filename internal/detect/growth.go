package detect

// growth is one stretch of samples in which a series grew.
type growth struct {
	start
	found int64 // step at which it was noticed
	until int64 // step it ended at; 0 while it goes on
	grown int64 // what it gained, known at its end
	known

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
	if first = max(1, first); t.growth.period == 1 {
		first = max(first, t.ended) // what ended is not begun again
	}
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
	if value > g.record+int64(g.rate.Mid*t.stride()/8) { // on a plateau a few bytes more are no end of a pause
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
			t.end(at, at+1-2*t.patience())
			return
		}
		if knee, ok := t.quickened(); ok {
			t.beginAnew(at, knee)
			return
		}
	}
	if t.overdue() {
		t.end(at, t.hist.after(t.rises.newest().step))
		return
	}
	w := t.patience()
	if t.seldom(t.last().step, w) {
		t.endHalted(w)
		return
	}
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
		t.end(at, at+1-2*w)
	}
}

// retime corrects the period of the growth: to that of a row of rises that make up most of it, or to every
// sample when it rises without a pause.
func (t *track) retime(at int64, rose bool) {
	g := t.growth
	if g.period == 2 && t.run >= 6 || t.creeps(at) {
		g.period, g.window = 1, max(4, g.window)
		t.rebuild()
		t.measure()
		return
	}
	if !rose {
		return
	}
	if g.period > 1 {
		if gap, ok := t.rises.regular(t.last().value, t.stride()); ok && (!near(gap, g.period) || gap != g.period && t.rises.exactly(gap)) {
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
		// It is the same growth, told from steady growth only now.
		same := *g
		t.begin(at, first.start(period))
		t.growth.known = same.known
		t.growth.found, t.growth.since = same.found, min(same.since, t.growth.since)
	}
}

// creeps reports that most of what the last two periods gained came in other samples than the largest two rises. In a long
// period a rise may take two samples. Samples that lie apart tell nothing of it: each has whole periods in it.
func (t *track) creeps(at int64) bool {
	h, from := &t.hist, at-2*t.growth.period
	if t.growth.period < 3 || from < max(settle, h.oldest()) || 2*(h.at(at).step-h.at(from).step) > 5*t.periodSteps(t.growth) {
		return false
	}
	wide := int64(1)
	if t.growth.period >= 8 {
		wide = 2
	}
	var first, second int64
	for i := from + wide; i <= at; i++ {
		c := h.at(i).value - h.at(i-wide).value
		if c > first {
			first, second = c, first
			i += wide - 1 // no sample counts twice
		} else {
			second = max(second, c)
		}
	}
	gain := h.at(at).value - h.at(from).value
	return gain > 0 && 2*(first+second) < gain
}
