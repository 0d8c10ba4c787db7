package detect

// What evidence proves of growth, and what takes that back. The reasons stand in claim.go and await.go.
//
//	proven      by an answer whose survivors explain the growth (Confirm), by one that came before the growth showed
//	            (recall), and by growth that went on over what was to let go of them (outlast)
//	taken back  by a fuller answer (Confirm), by live bytes that do not hold what survived (withdraw), and by a series
//	            that gives back at once all that it had gained (gaveBack, in track.observe)
//	ended       by an answer as whole as the one that proved it that finds nothing of it any more (Confirm)

// Confirmation is what an investigation found.
type Confirmation struct {
	Step         int64   // at which it ended
	Span         int64   // steps from its first look to its last; 0: it did not see all that there is
	Survivors    bool    // things born in a step were alive many steps later, again and again
	BytesPerStep int64   // what they and all they hold cost, graphs and nested objects too; 0 unknown
	Entries      float64 // … that their containers gain a step; 0 unknown
	Age          int64   // how many steps their containers took to become as long as they are, at that pace; 0 unknown
	Bound        int64   // how many steps or bytes the holder takes before it lets go of the oldest; 0 none known
	Filling      int64   // how many steps until the last container with a bound that was seen to grow is full; 0 none
	FillingBytes float64 // what those gain a step
	Emptier      string  // the statement by which the source empties, or cuts down, what holds most of them; empty for none
	Cycle        bool    // garbage cycles hold them until the collector runs
	Holder       bool    // the holder is named
	Emptied      bool    // a holder named before has been emptied since
	Hooks        bool    // a hook table grows: it never does so in a healthy training, and a hook is small
	Brief        bool    // one window of one period: it counts beside three like rises only, and a fuller answer follows
}

// small reports survivors that cost next to nothing.
func (c Confirmation) small() bool { return c.BytesPerStep > 0 && c.BytesPerStep < leastHost }

// known is what evidence said of a growth.
type known struct {
	asked   bool    // evidence was gathered in it
	asking  int64   // period that evidence was last asked for with
	proven  bool    // evidence found survivors in it
	briefly bool    // it was one window of evidence: the whole answer may take it back
	hooks   bool    // … among them hooks: however few, they do not come by themselves
	entries float64 // most entries a step that their holders were seen to gain
	foot    int64   // value from which they have added to it, at most the base unless their containers are younger
	emptier string  // the statement that may yet let go of what was found
	claim   claim   // what they must have added to the live bytes
}

// effect is what an answer does to what is known of a growth.
type effect int

const (
	unchanged effect = iota
	proves
	waits   // for what may yet let go of the survivors
	ends    // what was proven has ended since
	refutes // what was proven is not borne out
)

// weigh says what an answer does to the growth of t.
func (d *Detector) weigh(t *track, c Confirmation) effect {
	g := t.growth
	switch {
	case t.outlived(c):
		return ends
	case c.awaits() && !t.outlasts():
		return waits
	case c.Survivors && t.series.explained(g, c) && d.bornOut(t, c) && !t.renewed(c):
		return proves
	case g.briefly || c.Emptied && !c.Survivors && !g.exact() || t.renewed(c):
		return refutes // what one window, or one epoch, showed
	}
	return unchanged
}

// Confirm takes what an investigation found. An answer may come in parts, each better than the one before; only the
// first counts as an answer to what was asked. Evidence that another memory asked for is welcome too.
func (d *Detector) Confirm(c Confirmation) {
	if c.Brief {
		d.confirmBriefly(c)
		return
	}
	q := &d.doubt
	q.heard, q.last, q.kept = true, c, nil
	q.fills(c)
	proven, waiting := false, false
	for _, t := range d.tracks {
		if g := t.growth; t.series.role <= secondary && g != nil && g.since < c.Step {
			q.rate = max(q.rate, g.rate.Mid)
			effect := d.enter(t, c)
			proven = proven || effect == proves || effect == ends
			waiting = waiting || effect == waits
		}
	}
	if c.Survivors && !c.awaits() {
		q.kept = &c
		if c.Hooks {
			d.expectHooks()
		}
	}
	q.answered(c, proven, waiting)
	d.check()
}

// enter keeps what an answer says of the growth of t.
func (d *Detector) enter(t *track, c Confirmation) effect {
	g := t.growth
	g.asked = true
	effect := d.weigh(t, c)
	switch effect {
	case proves:
		g.proven, g.emptier = true, ""
		g.entries, g.hooks = max(g.entries, c.Entries), c.Hooks
		g.foot = t.footOf(c)
	case waits:
		g.proven, g.emptier = false, c.Emptier
	case ends:
		t.end(t.hist.n-1, t.hist.n-settle)
	case refutes:
		g.proven = false
	}
	g.briefly = false
	return effect
}

// confirmBriefly takes what one window shows, and keeps it in mind until the counters have shown the period too.
func (d *Detector) confirmBriefly(c Confirmation) {
	if c.Survivors && !c.awaits() {
		d.doubt.kept = &c
		d.recall()
	}
	d.check()
}

// review looks what the newest sample says of what was proven, and of what was not.
func (d *Detector) review() {
	d.withdraw()
	d.recall()
	d.outlast()
}

// withdraw takes back what evidence proved once the live bytes refute it, or what it proved of them has ended.
func (d *Detector) withdraw() {
	for _, t := range d.tracks {
		if g := t.growth; g != nil && g.proven && (d.refutes(g.claim) || d.endedWith(t)) {
			g.proven = false
		}
	}
}

// recall looks whether survivors that proved no growth when they were found do by now: only periodic growth, which takes
// longer to show than they did, whose rises they can make up. Beside one window of evidence the counters must have shown
// the period by two gaps, beside two by one.
func (d *Detector) recall() {
	c := d.doubt.kept
	if c == nil {
		return
	}
	least := 2
	if c.Brief {
		least = 3
	}
	for _, t := range d.tracks {
		s, g := t.series, t.growth
		if s.role > secondary || !d.grows(t) || g.proven {
			continue
		}
		if s.countsBlocks() && c.Hooks && !c.Brief && g.since <= c.Step+firstWait {
			g.asked, g.proven, g.hooks, d.doubt.last = true, true, true, *c
			continue
		}
		if g.period < 2 || g.since >= c.Step {
			continue
		}
		if d.facts.steps > c.Step+2*max(firstWait, t.periodSteps(g)) {
			continue
		}
		size := g.rate.Mid * float64(t.periodSteps(g))
		if t.rises.count(size, g.period, t.stride()) >= least && s.explained(g, *c) && explains(*c, g.rate.Mid/4) && d.bornOut(t, *c) {
			g.asked, g.proven, g.briefly, d.doubt.last = true, true, c.Brief, *c
		}
	}
}

// outlast proves what awaited an emptying and went on over it.
func (d *Detector) outlast() {
	for _, t := range d.tracks {
		if g := t.growth; g != nil && g.emptier != "" && t.outlasts() {
			g.proven, g.emptier = true, ""
		}
	}
}

// expectHooks looks closer at Python's blocks once a hook table was seen to grow, or hooks to be registered in every step: a
// hook that closes over nothing is two blocks, hardly more than the numbers that every training writes down.
func (d *Detector) expectHooks() {
	if t := d.track(pythonBlocks.name); t != nil {
		t.least = min(t.least, leastHooks)
	}
}
