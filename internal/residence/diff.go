package residence

import (
	"cmp"
	"errors"
	"slices"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// Change is how much more a site, or a stack, holds in the last snapshot than in the first.
type Change struct {
	Site
	Bytes int64
	Count int
	// Held is what it holds in each snapshot, in their order.
	Held []Tally
	// Callers is where the change came from, most first; only of sites.
	Callers []Caller
	// Frames is the stack, innermost first; only of stacks.
	Frames []snapshot.Frame
}

// Steady says whether it holds more in every snapshot than in the one before.
func (c Change) Steady() bool {
	for i := 1; i < len(c.Held); i++ {
		if c.Held[i].Bytes <= c.Held[i-1].Bytes {
			return false
		}
	}
	return true
}

// Diff is what changed from one snapshot to the last of several.
type Diff struct {
	Moments []string // which moment of each was compared, in words
	Totals  []int64  // what is allocated in each
	Sites   []Change // greatest growth first
	Stacks  []Change
}

// ErrOne is a comparison of fewer than two snapshots.
var ErrOne = errors.New("to compare takes two snapshots or more")

// differ collects what sites and stacks hold, snapshot by snapshot. It keeps no snapshot: they may be large.
type differ struct {
	n      int // snapshots in all
	at     int // the one at hand
	sites  map[Site]*Change
	caller map[Site]map[Site]*Tally
	stacks map[string]*Change
}

// Compare reads snapshots one after another and says what changed. at is the moment of Summarize that is compared.
func Compare(n int, read func(i int) (*snapshot.Snapshot, error), at string) (Diff, error) {
	if n < 2 {
		return Diff{}, ErrOne
	}
	d := differ{n: n, sites: map[Site]*Change{}, caller: map[Site]map[Site]*Tally{}, stacks: map[string]*Change{}}
	var result Diff
	for ; d.at < n; d.at++ {
		s, err := read(d.at)
		if err != nil {
			return result, err
		}
		what, total, err := d.take(s, at)
		if err != nil {
			return result, err
		}
		result.Moments = append(result.Moments, what)
		result.Totals = append(result.Totals, total)
	}
	for site, c := range d.sites {
		for caller, t := range d.caller[site] {
			if *t != (Tally{}) {
				c.Callers = append(c.Callers, Caller{caller, *t})
			}
		}
		slices.SortFunc(c.Callers, func(x, y Caller) int { return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), x.order(y.Site)) })
		result.Sites = append(result.Sites, d.change(c))
	}
	for _, c := range d.stacks {
		result.Stacks = append(result.Stacks, d.change(c))
	}
	for _, list := range [][]Change{result.Sites, result.Stacks} {
		slices.SortFunc(list, func(x, y Change) int {
			return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(y.Count, x.Count), x.order(y.Site), slices.CompareFunc(x.Frames, y.Frames, orderFrames))
		})
	}
	return result, nil
}

func orderFrames(x, y snapshot.Frame) int {
	return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Function, y.Function))
}

func (d *differ) change(c *Change) Change {
	first, last := c.Held[0], c.Held[d.n-1]
	c.Bytes, c.Count = last.Bytes-first.Bytes, last.Count-first.Count
	return *c
}

// take adds what a snapshot holds at a moment.
func (d *differ) take(s *snapshot.Snapshot, at string) (what string, total int64, err error) {
	b, w := newBook(s), when{at: at}
	what = "the end"
	for _, dev := range s.Devices {
		c := b.follow(dev, b.steps(dev).Ends)
		moment, _ := w.on(&c, dev)
		if moment != dev.To {
			what = "entry " + itoa(moment-dev.From)
		}
		for _, x := range b.live(c.walk, moment) {
			total += int64(x.Size)
			d.add(b, x)
		}
	}
	return what, total, w.err()
}

func (d *differ) add(b *book, x Block) {
	a := b.about(x.Stack)
	c := d.sites[a.site]
	if c == nil {
		c = &Change{Site: a.site, Held: make([]Tally, d.n)}
		d.sites[a.site] = c
		d.caller[a.site] = map[Site]*Tally{}
	}
	c.Held[d.at].add(int64(x.Size), 1)
	sign := 0
	switch d.at {
	case 0:
		sign = -1
	case d.n - 1:
		sign = 1
	}
	if a.caller.Known() && a.caller != a.site {
		t := d.caller[a.site][a.caller]
		if t == nil {
			t = &Tally{}
			d.caller[a.site][a.caller] = t
		}
		t.add(int64(sign)*int64(x.Size), sign)
	}
	key := b.key(x.Stack)
	k := d.stacks[key]
	if k == nil {
		k = &Change{Site: a.site, Held: make([]Tally, d.n), Frames: b.frames(x.Stack)}
		d.stacks[key] = k
	}
	k.Held[d.at].add(int64(x.Size), 1)
}
