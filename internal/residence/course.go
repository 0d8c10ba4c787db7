package residence

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// course is how memory went over a device's trace.
type course struct {
	peak, peakReserved int64
	peakEvent          int // behind this entry
	teardown           int // the entry at which the program had ended, -1 where it had not
	before             Tally
	older              int64 // bytes in use when the trace began, as the end of it tells
	levels             []Level
	growth             []Growth
	ends               []int
	walk               *walk // at the end
}

// follow walks over the whole trace once. What lived before it began, and so the true level, is known at its end only.
func (b *book) follow(d snapshot.Device, ends []int) course {
	w := newWalk(b, d)
	c := course{peakEvent: d.From, teardown: -1, ends: ends}
	g := newGrowing(w, ends)
	life := b.lastSign(d)
	var peak, stepPeak, lifeLevel int64
	var peakReserved int64
	for w.next < d.To {
		if len(c.levels) < len(ends) && w.next == ends[len(c.levels)] {
			c.levels = append(c.levels, Level{w.next - d.From, w.level, stepPeak})
			stepPeak = w.level
			g.end()
		}
		if w.next == life {
			lifeLevel = w.level
			g.last()
		}
		g.note(w.step())
		if w.level > stepPeak {
			stepPeak = w.level
			if w.level > peak {
				peak, c.peakEvent = w.level, w.next
			}
		}
		peakReserved = max(peakReserved, w.reserved)
	}
	var allocated, reserved int64
	for _, f := range b.final(d) {
		if f.State == snapshot.Allocated {
			allocated += int64(f.Size)
		}
		if _, ok := w.seen(f); !ok {
			c.before.add(int64(f.Size), 1)
		}
	}
	for _, s := range b.segments(d, d.To) {
		reserved += int64(s.Size)
	}
	c.before.add(w.lostSize, len(w.lost))
	// The levels are against the beginning; what is allocated at the end says where that was.
	c.older = max(0, allocated-w.level)
	c.peak = peak + c.older
	c.peakReserved = peakReserved + max(0, reserved-w.reserved)
	for i := range c.levels {
		c.levels[i].Allocated += c.older
		c.levels[i].Peak += c.older
	}
	if life < d.To && w.level+c.older < (lifeLevel+c.older)/2 {
		c.teardown = life
	}
	c.growth, c.walk = g.rows(), w
	return c
}

// lastSign returns the entry behind the last sign of life: an allocation, or the end of an annotation. A program that
// has ended only frees.
func (b *book) lastSign(d snapshot.Device) int {
	t := &b.snap.Trace
	last := d.From
	for i := d.To - 1; i >= d.From; i-- {
		if t.Kind(i) == snapshot.Alloc {
			last = i + 1
			break
		}
	}
	for _, a := range slices.Backward(b.snap.Annotations) {
		if a.End && a.Device == d.Index && a.Time != 0 {
			return max(last, b.since(d, a.Time))
		}
	}
	return last
}

// when finds the moment that a user means on one device after the other. A device that has no such entry or step stands
// at its end, if another one has it: traces of several devices are of different lengths.
type when struct {
	at     string
	found  bool
	missed error // of the first device that has it not
}

// on returns the entry on a device, and which moment that is.
func (w *when) on(c *course, d snapshot.Device) (entry int, what string) {
	entry, err := c.moment(d, w.at)
	if err == nil {
		w.found = true
		return entry, w.at
	}
	w.missed = cmp.Or(w.missed, err)
	return d.To, "end"
}

// err says why no device has the moment.
func (w *when) err() error {
	if w.found {
		return nil
	}
	return w.missed
}

// moment finds the entry that a user means.
func (c *course) moment(d snapshot.Device, at string) (int, error) {
	if n, ok := strings.CutPrefix(at, "step:"); ok {
		i, err := strconv.Atoi(n)
		if err != nil || i < 1 || i > len(c.ends) {
			return 0, fmt.Errorf("no step %q on device %d: %d can be seen, from 1 on", n, d.Index, len(c.ends))
		}
		return c.ends[i-1], nil
	}
	switch at {
	case "end":
		return d.To, nil
	case "peak":
		return c.peakEvent, nil
	case "last":
		if c.teardown >= 0 {
			return c.teardown, nil
		}
		return d.To, nil
	}
	n, err := strconv.Atoi(at)
	if err != nil {
		return 0, fmt.Errorf("%q is no moment: end, peak, last, step:N, or the number of an entry", at)
	}
	if n < 0 || n > d.To-d.From {
		return 0, fmt.Errorf("device %d has no entry %d: there are %d", d.Index, n, d.To-d.From)
	}
	return d.From + n, nil
}
