package residence

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/snapshot"
)

const (
	// maxBands is how many sites a curve tells apart: more colours than that nobody tells apart.
	maxBands = 8
	// maxDeltas is how many changes the curves of a snapshot have together; longer traces are thinned.
	maxDeltas = 2_000_000
)

// Curve is live memory over a trace, as changes.
type Curve struct {
	// Bands are the sites that held most at some time, most first. Two more follow: all others, and what is older than the
	// trace.
	Bands []Site
	// Older is how many bytes were in use when the trace began, as far as they can be told from rounding.
	Older int64
	// Every is how many entries are taken together: of so many the highest and the lowest level are kept, and where they
	// were. At 1 every change is there.
	Every  int
	Deltas []Delta

	bandOf []uint8 // by site
}

// Delta is a change of one band.
type Delta struct {
	Entry uint32 // that did it, counted from the device's first
	Band  uint8
	Bytes int64 // as the allocator rounds requests, a multiple of 512
}

// Before returns the band of what is older than the trace.
func (c *Curve) Before() int { return len(c.Bands) + 1 }

// olderSite stands for the site of what is older than the trace, which is not known.
const olderSite = -1

// changes tells of every change of live memory, by site.
func (b *book) changes(d snapshot.Device, see func(entry, site int, bytes int64)) {
	w := newWalk(b, d)
	tell := func(entry int, c change) {
		if bytes := int64(rounded(uint64(max(c.size, -c.size)))); c.size > 0 {
			see(entry, int(b.siteOf[c.stack]), bytes)
		} else if c.size < 0 {
			see(entry, int(b.siteOf[c.stack]), -bytes)
		}
	}
	for w.next < d.To {
		i, level := w.next-d.From, w.level
		c := w.step()
		tell(i, w.over)
		tell(i, c)
		if c.size == 0 && w.level != level {
			see(i, olderSite, w.level-level)
		}
	}
}

// curve follows a device's trace. At most limit changes are kept.
func (b *book) curve(d snapshot.Device, kinds [snapshot.Other + 1]int, older int64, limit int) Curve {
	c := Curve{Older: older, Every: 1}
	b.bands(d, &c)
	entries := d.To - d.From
	if kinds[snapshot.Alloc]+max(kinds[snapshot.FreeRequested], kinds[snapshot.FreeCompleted]) > limit {
		points := max(1, limit/(2*(c.Before()+1)))
		c.Every = (entries + points - 1) / points
	}
	s := newSampler(&c)
	b.changes(d, func(entry, site int, bytes int64) {
		band := c.Before()
		if site != olderSite {
			band = int(c.bandOf[site])
		}
		s.add(uint32(entry), band, bytes)
	})
	s.flush()
	s.tell(&s.now)
	return c
}

// bands finds the sites that held most at some time; without a trace, those that hold most.
func (b *book) bands(d snapshot.Device, c *Curve) {
	held, peak := make([]int64, len(b.sites)), make([]int64, len(b.sites))
	b.changes(d, func(_, site int, bytes int64) {
		if site != olderSite {
			held[site] += bytes
			peak[site] = max(peak[site], held[site])
		}
	})
	for _, x := range b.final(d) {
		if d.From == d.To {
			peak[b.siteOf[x.Stack]] += int64(x.Size)
		}
	}
	var sites []int
	for site, bytes := range peak {
		if bytes > 0 {
			sites = append(sites, site)
		}
	}
	slices.SortStableFunc(sites, func(x, y int) int { return cmp.Compare(peak[y], peak[x]) })
	sites = sites[:min(len(sites), maxBands)]
	c.bandOf = slices.Repeat([]uint8{uint8(len(sites))}, len(b.sites))
	for band, site := range sites {
		c.bandOf[site] = uint8(band)
		c.Bands = append(c.Bands, b.sites[site])
	}
}

// sampler appends changes to a curve: all of them, or those that lead to the highest and the lowest level of every so
// many entries. What it is handed in the first case it passes on at once, so that its points stay empty.
type sampler struct {
	curve *Curve
	bin   uint32
	now   point
	said  []int64 // by band, what the changes appended so far add up to
	high  point
	low   point
}

// point is how much every band holds behind an entry.
type point struct {
	entry uint32
	total int64
	bands []int64
}

func (p *point) copy(o *point) {
	p.entry, p.total = o.entry, o.total
	copy(p.bands, o.bands)
}

func newSampler(c *Curve) *sampler {
	n := c.Before() + 1
	return &sampler{curve: c, said: make([]int64, n), now: point{bands: make([]int64, n)}, high: point{bands: make([]int64, n)}, low: point{bands: make([]int64, n)}}
}

func (s *sampler) add(entry uint32, band int, bytes int64) {
	if s.curve.Every == 1 {
		s.curve.Deltas = append(s.curve.Deltas, Delta{entry, uint8(band), bytes})
		return
	}
	bin := entry / uint32(s.curve.Every)
	fresh := bin != s.bin
	if fresh {
		s.flush()
		s.bin = bin
	}
	s.now.entry = entry
	s.now.total += bytes
	s.now.bands[band] += bytes
	if fresh || s.now.total > s.high.total {
		s.high.copy(&s.now)
	}
	if fresh || s.now.total < s.low.total {
		s.low.copy(&s.now)
	}
}

// flush appends the lowest and the highest point of the entries taken together.
func (s *sampler) flush() {
	first, second := &s.low, &s.high
	if first.entry > second.entry {
		first, second = second, first
	}
	for _, p := range []*point{first, second} {
		s.tell(p)
	}
}

func (s *sampler) tell(p *point) {
	for band, bytes := range p.bands {
		if bytes != s.said[band] {
			s.curve.Deltas = append(s.curve.Deltas, Delta{p.entry, uint8(band), bytes - s.said[band]})
			s.said[band] = bytes
		}
	}
}
