package detect

import (
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/stats"
)

// heldSettle is how many samples the allocator's reserve may take to find its size.
const heldSettle = 10

// outsideGrows reports growth of what the driver gives away beside the allocator. Other programs on the device move
// that figure too, and often upwards: what this target does goes with its steps, and is not what the driver counts for others.
func (d *Detector) outsideGrows() (*track, bool) {
	t := d.fillsOutside()
	return t, t != nil && t.keepsPace(8) && !d.othersFill(t.growth)
}

// fillsOutside is the track of what the driver gives away beside the allocator, where that grows by more than is of no interest; else nil.
func (d *Detector) fillsOutside() *track {
	if t := d.track("outside"); t != nil && t.growth != nil && t.growth.rate.Lo >= t.least {
		return t
	}
	return nil
}

// Share is what other processes hold of the device, in bytes, when the training is in a step.
type Share struct{ Step, Others int64 }

// Others takes what other processes held of the device, in order of the steps, as the driver tells it process by process. Without it all
// that the driver gives away beside the allocator is taken for this process's.
func (d *Detector) Others(course []Share) { d.others = course }

// OthersGrow is by how much a step what other processes hold grows, in bytes, and since which step, where it is they that fill the
// device; 0 where it is not.
func (d *Detector) OthersGrow() (rate, since int64) {
	t := d.fillsOutside()
	if t == nil {
		return 0, 0
	}
	r, from, ok := d.othersSince(t.growth.since)
	if !ok || !t.growth.mostly(r) {
		return 0, 0
	}
	return int64(r), from
}

// mostly reports that a growth is explained, by half of it at least, by one of so many bytes a step.
func (g *growth) mostly(others float64) bool { return 2*others >= g.rate.Mid }

// othersSince is by how much a step what others hold has grown since the reading before that step; ok is false where there were not two
// readings since.
func (d *Detector) othersSince(step int64) (rate float64, from int64, ok bool) {
	first := -1
	for i, s := range d.others {
		if s.Step <= step || first < 0 {
			first = i
		}
	}
	if first < 0 {
		return 0, 0, false
	}
	a, b := d.others[first], d.others[len(d.others)-1]
	if b.Step <= max(a.Step, step) {
		return 0, 0, false
	}
	return float64(b.Others-a.Others) / float64(b.Step-a.Step), a.Step, true
}

// othersFill reports that it is other processes that fill the device, by half of its growth at least, or may be: they hold memory there,
// and it was not read again since.
func (d *Detector) othersFill(g *growth) bool {
	rate, _, ok := d.othersSince(g.since)
	if !ok {
		return len(d.others) > 0 && d.others[len(d.others)-1].Others > 0
	}
	return g.mostly(rate)
}

// withoutOthers takes from the growth of a device since a step what others have gained there. They fill it too, but do not cost this process's steps.
func (d *Detector) withoutOthers(whole rate, since int64) rate {
	others, _, ok := d.othersSince(since)
	if !ok || others <= 0 {
		return whole
	}
	whole.Lo, whole.Mid, whole.Hi = whole.Lo-others, whole.Mid-others, whole.Hi-others
	return whole
}

// keepsPace reports that from reading to reading the growth gained by the steps made between them: by like amounts a
// step over the newest readings, at least so many, but for one in eight.
func (t *track) keepsPace(least int) bool {
	h := &t.hist
	var rates []float64
	for i := max(t.growth.first, h.oldest()+1, h.n-64); i < h.n; i++ {
		a, b := h.at(i-1), h.at(i)
		rates = append(rates, float64(b.value-a.value)/float64(b.step-a.step))
	}
	if len(rates) < least {
		return false
	}
	usual, strange := stats.Median(rates), 0
	for _, r := range rates {
		if 2*r < usual || r > 2*usual {
			strange++
		}
	}
	return usual > 0 && strange <= len(rates)/8
}

// reserve judges what the allocator holds beside the live bytes: it grew again and again, lately too, by more
// than the live bytes explain.
func (d *Detector) reserve() (ruling, bool) {
	f := &d.facts
	if !d.device() {
		return ruling{}, false
	}
	spare := f.held - max(f.last, f.peak)
	failed := f.retries.grew() > 0 || f.ooms.grew() > 0
	if failed && 5*spare >= f.held && f.held > 0 {
		return ruling{verdict: finding.Fragmentation, why: "allocations failed or had to be retried while the allocator held free memory, in pieces too small"}, true
	}
	gained := f.held - f.heldBefore
	again := f.heldRises >= 3 && 2*f.heldRiseStep > f.steps
	if !again || 10*gained < f.heldBefore || gained < 2*(f.last-f.first) {
		return ruling{}, false
	}
	if 5*f.inactive >= f.held {
		return ruling{verdict: finding.Fragmentation, why: "reserved memory grows while live bytes do not, and much of it lies in split blocks that nothing uses"}, true
	}
	return ruling{verdict: finding.Cache, why: "reserved memory grows with new request sizes while live bytes do not"}, true
}

// full reports that nothing grows and yet one step needs about all there is.
func (d *Detector) full() (ruling, bool) {
	f := &d.facts
	if d.device() && f.ooms.grew() > 0 {
		return ruling{verdict: finding.Capacity, why: "an allocation failed although nothing grows: a step needs more than there is"}, true
	}
	limit, peak := d.options.Limit, f.peak
	if d.options.Kind == "host" {
		peak = max(peak, f.resident)
	}
	if limit > 0 && peak >= limit/100*95 {
		return ruling{verdict: finding.Capacity, why: "nothing grows; the peak of a step comes within 5 % of the limit"}, true
	}
	return ruling{}, false
}
