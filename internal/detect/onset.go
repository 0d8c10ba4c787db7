package detect

// onset walks back from the beginning of the growth for as long as the floor rose as fast as it does now, lets
// one window in which it did not (a drop) pass, and then finds the sample in which the rise began.
func (t *track) onset() int64 {
	h, g := &t.hist, t.growth
	perSample := g.rate.Mid * t.stride()
	if perSample <= 0 || g.first <= h.oldest() {
		return g.first
	}
	w := max(4, g.period, g.window)
	least := h.oldest() + w
	at := g.first
	for at >= least {
		if t.climbs(at, w, perSample) || at-w >= least && t.climbs(at-w, w, perSample) && t.climbs(at-2*w, w, perSample) {
			at -= w
			continue
		}
		break
	}
	if g.rate.noise > perSample*float64(w) && w > g.period {
		return at // finer than a window is hidden in the noise
	}
	return t.firstRise(max(h.oldest(), at-w), min(h.n, at+w), perSample)
}

// climbs reports that the floor of the w samples from at lies above the one of the w samples before, by at
// least half of what growth would give and not by a jump.
func (t *track) climbs(at, w int64, perSample float64) bool {
	if at-w < t.hist.oldest() {
		return false
	}
	gain, expected := float64(t.hist.floor(at, at+w)-t.hist.floor(at-w, at)), perSample*float64(w)
	return gain >= expected/2 && gain <= 8*expected+t.growth.rate.noise
}

// firstRise returns the number of the sample after the last one between from and to that still lay on the old
// floor. What lies behind a jump is another floor.
func (t *track) firstRise(from, to int64, perSample float64) int64 {
	h, g := &t.hist, t.growth
	usual := perSample * float64(g.period)
	for i := min(to, h.n) - 1; i > from; i-- {
		if change := h.at(i).value - h.at(i-1).value; float64(max(change, -change)) > 8*usual+g.rate.noise {
			from = i
		}
	}
	base := h.floor(from, from+max(2, (to-from)/2))
	bound := float64(base) + g.rate.noise + usual/4
	first := from + 1
	for i := from; i < to; i++ {
		if float64(h.at(i).value) <= bound {
			first = i + 1
		}
	}
	return min(first, h.n-1)
}
