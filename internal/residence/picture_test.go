package residence

import (
	"slices"
	"testing"
)

// levels adds up a curve: the highest and lowest level, that at the end, and at which entry it was highest.
func levels(c Curve) (high, low, end int64, at uint32) {
	level := c.Older
	high, low = level, level
	for i, d := range c.Deltas {
		level += d.Bytes
		if i+1 < len(c.Deltas) && c.Deltas[i+1].Entry == d.Entry {
			continue // the entry did more
		}
		if level > high {
			high, at = level, d.Entry
		}
		low = min(low, level)
	}
	return high, low, level, at
}

// TestCurve adds curves up to what is known otherwise.
func TestCurve(t *testing.T) {
	for _, name := range []string{"none", "hook", "val", "varlen_expandable", "oom"} {
		all, err := Draw(open(t, name), "end")
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %d devices, %v", name, len(all), err)
		}
		p, want := all[0], summarize(t, name, "end")
		high, _, end, at := levels(p.Curve)
		// The entry behind the one that led to the peak is the peak.
		if high != want.PeakAllocated || int(at)+1 != want.PeakEvent || end != want.Allocated || p.Curve.Every != 1 {
			t.Errorf("%s: %d at most at %d, %d at the end, one of %d; want %d at %d, %d", name, high, at, end, p.Curve.Every, want.PeakAllocated, want.PeakEvent-1, want.Allocated)
		}
		// Each band is below zero never.
		held := make([]int64, p.Curve.Before()+1)
		held[p.Curve.Before()] = p.Curve.Older
		for _, d := range p.Curve.Deltas {
			if held[d.Band] += d.Bytes; held[d.Band] < 0 {
				t.Fatalf("%s: band %d holds %d bytes behind entry %d", name, d.Band, held[d.Band], d.Entry)
			}
		}
	}
}

// TestThinned: a curve of few changes keeps the highest and the lowest level, where they were, and the end.
func TestThinned(t *testing.T) {
	for _, name := range []string{"val", "varlen_expandable", "oom"} {
		s := open(t, name)
		b := newBook(s)
		d := s.Devices[0]
		whole, course := b.overview(d)
		all := b.curve(d, whole.Kinds, course.older, maxDeltas)
		few := b.curve(d, whole.Kinds, course.older, 2000)
		if few.Every < 2 || len(few.Deltas) > 2100 {
			t.Errorf("%s: %d changes, one of %d", name, len(few.Deltas), few.Every)
		}
		high, low, end, at := levels(all)
		if h, l, e, a := levels(few); h != high || l != low || e != end || a != at {
			t.Errorf("%s: %d to %d, highest at %d, %d at the end; want %d to %d at %d, %d", name, l, h, a, e, low, high, at, end)
		}
	}
}

// TestStates: what lies where adds up to what is allocated, at every moment of a picture.
func TestStates(t *testing.T) {
	for name, want := range map[string][]string{"hook": {"peak", "last", "end"}, "oom": {"peak", "end"}} {
		all, err := Draw(open(t, name), "end")
		if err != nil {
			t.Fatal(err)
		}
		p := all[0]
		var names []string
		for _, m := range p.Moments {
			names = append(names, m.Moment.What)
			var bytes int64
			for _, x := range m.Blocks {
				bytes += int64(x.Size)
				if band := p.Band(x); band < 0 || band > p.Curve.Before() {
					t.Errorf("%s: a block of band %d", name, band)
				}
			}
			if one := summarize(t, name, m.Moment.What); bytes != m.Active || m.Allocated != one.Allocated || m.Reserved != one.Reserved {
				t.Errorf("%s at %s: %d bytes in blocks, %d active; %d of %d, want %d of %d", name, m.Moment.What, bytes, m.Active, m.Allocated, m.Reserved, one.Allocated, one.Reserved)
			}
		}
		if !slices.Equal(names, want) || p.Moments[p.Asked].Moment.What != "end" {
			t.Errorf("%s: moments %v, asked for %d", name, names, p.Asked)
		}
	}
	if _, err := Draw(open(t, "none"), "step:99"); err == nil {
		t.Error("there is a step 99")
	}
}
