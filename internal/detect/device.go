package detect

import (
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/stats"
)

// heldSettle is how many samples the allocator's reserve may take to find its size.
const heldSettle = 10

// outsideGrows reports growth of what the driver gives away beside the allocator. Other programs on the device move
// that figure too, and often upwards; only what this target does goes with its steps.
func (d *Detector) outsideGrows() (*track, bool) {
	t := d.track("outside")
	if t == nil || t.growth == nil || t.growth.rate.Lo < t.least {
		return nil, false
	}
	return t, t.keepsPace(8)
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
