package detect

import "slices"

// exact reports growth by the same amount over and over, to the byte: nothing was let go of since it began. What a
// container does not keep is kept elsewhere then, as by a metric whose lists begin anew while the old ones stay.
func (g *growth) exact() bool { return g.rate.noise == 0 && g.rate.Lo == g.rate.Hi }

// gaveBack reports that all that a proven growth had gained, or all since the containers of what survived were empty, went
// at once, and no more: those survivors are gone. A heap that falls for no visible reason hardly falls just there, and one
// that falls where the probe was at work was stirred up by it.
func (t *track) gaveBack(at, value int64) bool {
	g := t.growth
	if !g.proven || at-g.first < enough/2 || t.parted[0] == at {
		return false
	}
	foot := max(g.base, g.foot)
	left, gained := value-foot, g.record-foot
	if float64(gained) < 2*g.rate.noise {
		return false // the series falls as far as that in any step
	}
	return 4*max(left, -left) <= gained && 2*(t.hist.at(at-1).value-value) >= gained
}

// footOf is the floor of the series since the containers of what survived were empty.
func (t *track) footOf(c Confirmation) int64 {
	if c.Age == 0 {
		return 0
	}
	return t.hist.floor(t.hist.after(c.Step-c.Age), t.hist.n)
}

// renewed reports that the series fell when the containers of what survived began to fill, by half or more of what it has
// gained since: they were full before, and what they held then is gone.
func (t *track) renewed(c Confirmation) bool {
	h := &t.hist
	began := c.Step - c.Age
	if c.Age == 0 || began <= t.growth.since {
		return false
	}
	for i := max(h.after(began-renewal), t.growth.first); i < h.n && h.at(i).step <= began+renewal; i++ {
		if fell := h.at(i-1).value - h.at(i).value; fell > 0 && 2*fell >= t.last().value-h.at(i).value {
			return true
		}
	}
	return false
}

// renewal is by how many steps the fall may lie beside the beginning: entries are counted between censuses.
const renewal = 2

// outlived reports that a whole answer proved the growth and that c, a later one which looked as closely and for as long
// as growth of that period takes to show, found nothing of it while the series stood still, or a fraction of the entries
// a step: it has ended. A cache that fills, or a queue that is full by now, was growing when it was looked at first.
func (t *track) outlived(c Confirmation) bool {
	g := t.growth
	if !g.proven || g.briefly || c.Span < 2*t.periodSteps(g) {
		return false
	}
	return !c.Survivors && !c.Emptied && !t.gainedOver(c) || c.Entries > 0 && 8*c.Entries < g.entries
}

// gainedOver reports that the growth gained a quarter of what it should have, or more, in as many steps as an answer looked
// at, as far as they were not disturbed by the looking. A series that was not read for long before, as one that is dear to
// read, says nothing.
func (t *track) gainedOver(c Confirmation) bool {
	h := &t.hist
	gain, steps, until := int64(0), int64(0), t.last().step
	if c.Step-until > 2*c.Span {
		return false
	}
	for i := h.n - 1; i > h.oldest() && until-h.at(i).step < c.Span; i-- {
		if !slices.Contains(t.parted[:], i) {
			gain, steps = gain+h.at(i).value-h.at(i-1).value, steps+h.at(i).step-h.at(i-1).step
		}
	}
	return 4*float64(gain) > t.growth.rate.Mid*float64(steps) && 4*steps >= c.Span
}

// largestBlock is the most bytes that one of Python's small objects takes: larger ones are malloc's.
const largestBlock = 512

// claim is what survivors said to make a count of Python's blocks grow must have added to the heap: the bytes that do
// not fit into the blocks. A list that is emptied every epoch survives a census and is gone soon after, while a few
// numbers a step go on being kept; the heap tells the two apart.
type claim struct {
	perStep float64
	since   int64
	base    int64 // live bytes then
}

// claimOf returns what c claims of the live bytes for the growth of Python's blocks.
func (d *Detector) claimOf(g *growth, c Confirmation) claim {
	k := claim{perStep: float64(c.BytesPerStep) - largestBlock*g.rate.Mid, since: g.since}
	h := &d.main().hist
	for i := h.oldest(); i < h.n; i++ {
		p := h.at(i)
		if i == h.oldest() {
			k.since, k.base = max(k.since, p.step), p.value
		}
		if p.step >= g.since {
			break
		}
		k.base = p.value
	}
	return k
}

// refutes reports that most of what was claimed is not there: of all since the growth began, or of what should have come
// since the heap stopped to grow, as by a cache that is full.
func (d *Detector) refutes(k claim) bool {
	t := d.main()
	if k.perStep < leastHost || t.seen() == 0 {
		return false
	}
	now := t.last()
	missing := func(since, base, least int64) bool {
		steps := now.step - since
		return steps >= least && 4*float64(now.value-base) < k.perStep*float64(steps)
	}
	if g := t.past; g != nil && t.hardlyGrows(k.perStep) && g.until > k.since && missing(g.until, t.hist.floor(t.hist.after(g.until), t.hist.n), flatFor) {
		return true
	}
	return missing(k.since, k.base, enough/2)
}

// hardlyGrows reports that the series does not grow, or by less than a quarter of that much a step.
func (t *track) hardlyGrows(perStep float64) bool {
	return t.growth == nil || 4*t.growth.rate.Mid < perStep
}

// flatFor is for how many steps a heap must have stood still to speak against growth of Python's blocks.
const flatFor = 32

// endedWith reports that growth of Python's blocks has ended with that of the heap: both were proven to grow from about the
// same step on, the heap ended long ago, and the blocks have not gone on, as far as they were read since.
func (d *Detector) endedWith(blocks *track) bool {
	t, g := d.main(), blocks.growth
	past := t.past
	if !blocks.series.countsBlocks() || past == nil || !past.proven || !t.hardlyGrows(past.rate.Mid) {
		return false
	}
	if off := past.since - g.since; max(off, -off) > row || d.facts.steps < past.until+flatFor {
		return false
	}
	return !blocks.goesOnAfter(past.until, g.rate.Mid)
}

// goesOnAfter reports that the series was read after the step and has gained since a quarter or more of what growth by perStep
// would give.
func (t *track) goesOnAfter(step int64, perStep float64) bool {
	now := t.last()
	if now.step <= step {
		return false
	}
	from := t.hist.at(max(t.hist.oldest(), t.hist.after(step)-1))
	before := perStep * float64(max(0, step-from.step))
	return 4*(float64(now.value-from.value)-before) >= perStep*float64(now.step-step)
}

// fullSince reports that the heap, unread since, grew by entries of containers that have come to an end: each is a block of
// Python's or more, those grew as well, and stand still by two readings that lie apart. Where other objects were collected
// between them, they must be nearly the same, lest that is what hides the growth. A short stretch is enough where the heap
// stood still when it was read last. On a busy machine both are soon too dear to be read often. until is the step at which
// they ended, 0 where it was not seen.
func (d *Detector) fullSince() (until int64, ok bool) {
	t, blocks := d.main(), d.track(pythonBlocks.name)
	if t.growth == nil || !t.growth.proven || t.growth.entries <= 0 || blocks == nil || blocks.seen() == 0 {
		return 0, false
	}
	entries, rate := t.growth.entries, t.growth.rate.Mid
	if !blocks.grewBy(entries) || blocks.last().step <= t.last().step {
		return 0, false
	}
	apart := int64(flatFor)
	if t.still(t.patience()) {
		apart /= 2
	}
	to := blocks.last()
	at := blocks.hist.after(to.step-max(apart, 2*t.periodSteps(t.growth))) - 1
	if at < blocks.hist.oldest() || blocks.parted[0] > at { // across a look, what was added is taken for the probe's own
		return 0, false
	}
	from, part := blocks.hist.at(at), int64(8)
	if d.facts.collected > from.step {
		part = 64
	}
	span, gain := to.step-from.step, to.value-from.value
	if float64(part*max(gain, -gain)) > entries*float64(span) || t.goesOnAfter(from.step+span/part, rate) {
		return 0, false
	}
	if past := blocks.past; past != nil && past.proven && past.until > d.doubt.last.Step && !t.goesOnAfter(past.until, rate) {
		until = past.until
	}
	return until, true
}

// grewBy reports that the series grew by most of perStep or more.
func (t *track) grewBy(perStep float64) bool {
	return t.growth != nil && 2*t.growth.rate.Mid >= perStep || t.past != nil && 2*t.past.rate.Mid >= perStep
}

// still reports that the newest w samples gained less than a quarter of what the growth would give.
func (t *track) still(w int64) bool {
	h := &t.hist
	if h.n-w <= max(t.growth.first, h.oldest()) {
		return false
	}
	from := h.at(h.n - w)
	return 4*float64(t.last().value-from.value) < t.growth.rate.Mid*float64(t.last().step-from.step)
}

// bornOut reports that the live bytes do not contradict what c says of the series of t, and keeps the claim.
func (d *Detector) bornOut(t *track, c Confirmation) bool {
	if !t.series.countsBlocks() {
		return true
	}
	g := t.growth
	g.claim = d.claimOf(g, c)
	return !d.refutes(g.claim)
}
