package detect

// outlasting is how many steps growth must go on where the source empties or cuts down what holds it, until what survives
// there proves a leak: most epochs of a small training are shorter, and a list that is never emptied after all is found
// soon enough. Where entries come seldom, as a checkpoint every forty steps, it is as many entries: a bound of a few is not
// reached sooner.
const outlasting, outlastingEntries = 100, 8

// outlasting is the same for what was found, by the entries that it gains.
func (c *Confirmation) outlasting() int64 {
	if c.Entries <= 0 {
		return outlasting
	}
	return max(outlasting, int64(min(outlastingEntries/c.Entries, 1<<20)))
}

// outlasting is the same for a growth, by its period.
func (t *track) outlasting() int64 { return max(outlasting, outlastingEntries*t.periodSteps(t.growth)) }

// awaits reports that survivors prove nothing yet: what holds them is emptied or cut down by the source, and none of it
// has lived long enough to show that this is never reached.
func (c *Confirmation) awaits() bool { return c.Survivors && c.Emptier != "" && c.Age < c.outlasting() }

// nextLook is when to look again at containers that await their emptying: once they are old enough, and before that
// once they would be several times as old as they were.
func (c *Confirmation) nextLook() int64 {
	return c.Step + min(c.outlasting()-c.Age, max(firstWait, 3*c.Age))
}

// outlasts reports growth that went on over the emptyings to the byte: what was let go of is held elsewhere.
func (t *track) outlasts() bool {
	return t.growth.exact() && t.last().step-t.growth.since >= t.outlasting()
}

// fills notes until when the growth of what has a bound of its own is no news: twice as long as it takes to fill.
func (q *doubt) fills(c Confirmation) {
	if c.Filling > 0 {
		q.full, q.filling = max(q.full, c.Step+2*c.Filling+firstWait), max(q.filling, c.FillingBytes)
	}
}

// heldBack reports that g alone says nothing now: containers fill that have a bound, and are a good part of it, or they are
// emptied by and by.
func (d *Detector) heldBack(g *growth) bool {
	q := &d.doubt
	return d.facts.steps <= q.full && 4*q.filling >= g.rate.Mid ||
		q.last.awaits() && d.facts.steps < q.last.Step-q.last.Age+q.last.outlasting()
}
