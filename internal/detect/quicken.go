package detect

// newestWindows is how many windows in a row show the present pace.
const newestWindows = 4

// trickle is up to how many times the least growth that matters a heap creeps.
const trickle = 8

// quickened finds the knee of growth in every step that crept and has become four times as fast, or faster: what creeps
// from the start, as a heap does, is not what grows now. A leak that gets faster began where it began. The newest windows
// must rise out of all that was before, each by half of their pace or more, so that no jump and no tooth passes for it.
func (t *track) quickened() (knee window, ok bool) {
	g := t.growth
	if g.period > 1 {
		return window{}, false
	}
	ws, _ := g.ladder.windows(1, t.hist.n)
	n := len(ws) - 1
	if n < 2*newestWindows {
		return window{}, false
	}
	pace := func(from, to int) float64 {
		return float64(ws[to].min-ws[from].min) / float64(max(1, ws[to].step-ws[from].step))
	}
	now, at := pace(n-newestWindows, n), n
	for at > 0 && 2*pace(at-1, at) >= now {
		at--
	}
	before := pace(0, at)
	if at < newestWindows || n-at < newestWindows || now < t.least || before > trickle*t.least || now < 4*before {
		return window{}, false
	}
	for _, w := range ws[:at] {
		if w.max >= ws[n].min {
			return window{}, false
		}
	}
	return ws[at], true
}

// beginAnew lets a growth begin where it became fast. What evidence has proven of it holds on.
func (t *track) beginAnew(at int64, knee window) {
	same := t.growth.known
	t.begin(at, start{knee.start, knee.step, knee.min, 1, max(4, t.growth.ladder.length)})
	if same.proven {
		t.growth.known = same
	}
}
