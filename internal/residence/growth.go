package residence

import (
	"cmp"
	"slices"
)

// Growth is how much more a site holds at the end of the steps than after the first of them.
type Growth struct {
	Site
	Bytes   int64 // from the step From to the end
	Count   int
	PerStep int64
	Rises   int // steps at whose end the site held more than at the end of the step before
	Falls   int
	From    int // the step it is measured from, the first ones being warm-up
	Steps   int // how many steps it is measured over
}

// Steady says whether the site rose again and again and never fell. That is no proof of a leak: the trace may end
// before what grows is let go.
func (g Growth) Steady() bool { return g.Falls == 0 && g.Rises >= fewest }

// growing follows what sites hold from step to step.
type growing struct {
	walk    *walk
	steps   int
	warm    int
	done    int
	first   []Tally // at the end of the warm-up
	before  []Tally // at the end of the last step
	final   []Tally // at the last sign of life
	rises   []int
	falls   []int
	touched []uint32
	is      []bool // in touched
}

func newGrowing(w *walk, ends []int) *growing {
	n := len(w.held)
	return &growing{walk: w, steps: len(ends), warm: warmUp(len(ends)), first: make([]Tally, n), before: make([]Tally, n),
		rises: make([]int, n), falls: make([]int, n), is: make([]bool, n)}
}

// warmUp is how many steps are left out: optimizers make their state in the first, caches fill in the next.
func warmUp(steps int) int { return min(max(2, steps/10), steps/2) }

// note takes a change of live memory.
func (g *growing) note(c change) {
	if c.size == 0 {
		return
	}
	if site := g.walk.book.siteOf[c.stack]; !g.is[site] {
		g.is[site] = true
		g.touched = append(g.touched, site)
	}
}

// end ends a step.
func (g *growing) end() {
	for _, site := range g.touched {
		now := g.walk.held[site]
		if g.done >= g.warm {
			switch before := g.before[site].Bytes; {
			case now.Bytes > before:
				g.rises[site]++
			case now.Bytes < before:
				g.falls[site]++
			}
		}
		g.before[site] = now
		g.is[site] = false
	}
	g.touched = g.touched[:0]
	if g.done++; g.done == g.warm {
		copy(g.first, g.before)
	}
}

// last notes what is held when the program ends.
func (g *growing) last() { g.final = slices.Clone(g.walk.held) }

// upward says whether rises outweigh falls by more than chance would have it: what varies from step to step goes up and
// down alike.
func upward(rises, falls int) bool {
	more := rises - falls
	return falls == 0 || more > 0 && more*more > 4*(rises+falls)
}

// rows lists the sites that hold more, most first.
func (g *growing) rows() []Growth {
	if g.steps < fewest || g.done <= g.warm {
		return nil
	}
	if g.final == nil {
		g.final = g.walk.held
	}
	var rows []Growth
	steps := g.done - g.warm
	for site, first := range g.first {
		// What is only held between the ends of steps is no growth.
		at := g.before[site]
		if g.final[site].Bytes > at.Bytes && g.rises[site] > 0 {
			at = g.final[site]
		}
		if at.Bytes <= first.Bytes || !upward(g.rises[site], g.falls[site]) {
			continue
		}
		rows = append(rows, Growth{Site: g.walk.book.sites[site], Bytes: at.Bytes - first.Bytes, Count: at.Count - first.Count,
			PerStep: (at.Bytes - first.Bytes) / int64(steps), Rises: g.rises[site], Falls: g.falls[site], From: g.warm, Steps: steps})
	}
	slices.SortStableFunc(rows, func(x, y Growth) int {
		return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
	return rows
}
