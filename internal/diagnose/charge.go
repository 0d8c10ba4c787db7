package diagnose

import (
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
)

// Counted things may cost this many times what they are weighed with before the rest must be something unseen. Nodes
// of some operators keep a kilobyte and more, and the heap has its own overhead. Entries that are no plain values may
// hold anything at all.
const tolerance = 10

// charge lays the memory's growth at the candidates: to each what was measured of it, and of the rest a share by what
// was counted. A fact without a holder takes what is left. Tensors that several holders or graphs share are measured
// more than once: all of it together is what the memory grew by, no more. Small objects of Python's own do not show in
// the heap that the rate is of; they are taken as measured.
func charge(m finding.Memory, found []*candidate) {
	measured, own, counted := 0.0, 0.0, 0.0
	for _, c := range found {
		measured += c.tensorBytes + c.graphBytes
		own += c.own
		counted += c.counted()
	}
	rest := max(float64(rate(m))-measured-own, 0)
	left, scale := rest, 1.0
	if r := float64(rate(m)); r > 0 && measured > r {
		scale = r / measured
	}
	for _, c := range found {
		share := 0.0
		if counted > 0 {
			share = rest * c.counted() / counted
			if !c.opaque() || c.memory.Name != "host" {
				share = min(share, tolerance*c.counted())
			}
		}
		left -= share
		c.bytes = int64((c.tensorBytes+c.graphBytes)*scale + c.own + share + 0.5)
	}
	for _, c := range found {
		if c.waiting > 0 {
			c.bytes = rate(m) // what waits is a level and no rate
		}
		if c.call != nil && (c.holder == nil || c.rule == "TL105" || c.rule == "TL118") {
			c.bytes += int64(left)
			left = 0
		}
	}
}

// counted weighs what was counted and not measured. On a device only graph nodes whose saved tensors could not be
// read stand for bytes.
func (c *candidate) counted() float64 {
	if c.memory.Name == "host" {
		return c.estimate
	}
	switch {
	case c.graphBytes > 0:
		return 0
	case c.nodes == 0 && c.opaque() && c.holder.Elements != "Tensor":
		return c.tensorBytes // an optimizer in an entry has a state that no census counts
	}
	return c.nodes * tensorBytes * 1024
}

// unseen returns the candidate for growth that nothing found explains; holders with a bound explain their part.
// Evidence that was shorter than the period in which the memory grows proves nothing.
func unseen(in Input, m finding.Memory, found []*candidate, limited float64) []*candidate {
	left := rate(m) - int64(limited)
	for _, c := range found {
		left -= c.bytes
	}
	if len(found) > 0 && (rate(m) == 0 || float64(left) < (1-enough)*float64(rate(m))) || withRule(found, "TL130") != nil {
		return nil
	}
	if !covered(in, m) {
		return periodic(in, m, left)
	}
	c := &candidate{memory: m, rule: "TL130", bytes: max(left, 0)}
	if m.Verdict == finding.Cycle {
		c.rule = "TL117"
	}
	if p, ok := in.Locator.Freezes(); ok && freezes(in.Evidence) {
		c.rule, c.place = "TL117", p
		return []*candidate{c}
	}
	for _, e := range relevant(in.Evidence, m) {
		if c.evidence == nil {
			c.evidence = e
		}
		if site := largestSite(e, m.Name); site != nil {
			c.place, _ = in.Locator.At(site.Frames)
			c.evidence = e
			break
		}
	}
	return []*candidate{c}
}

// freezes reports that the collector was told to leave ever more objects alone, each time that somebody looked.
func freezes(all []*evidence.Evidence) bool {
	last, rises := int64(0), 0
	for _, e := range all {
		if e == nil {
			continue
		}
		if e.GC.Frozen <= last {
			return false
		}
		last = e.GC.Frozen
		rises++
	}
	return rises > 1
}

// periodic names the statement that the source runs as often as the memory grows. It is a guess, and said to be one.
func periodic(in Input, m finding.Memory, left int64) []*candidate {
	if m.Period == nil || *m.Period < 2 {
		return nil
	}
	p, ok := in.Locator.Periodic(*m.Period)
	if !ok {
		return nil
	}
	return []*candidate{{memory: m, rule: "TL130", place: p, bytes: max(left, 0)}}
}

// outside explains a device that fills up beyond what PyTorch has reserved.
func outside(in Input, m finding.Memory) []*candidate {
	for _, e := range relevant(in.Evidence, m) {
		if call := called(e, "new_group"); call != nil {
			c := &candidate{memory: m, evidence: e, rule: "TL116", call: call, bytes: rate(m)}
			c.place, _ = in.Locator.At(call.Frames)
			return []*candidate{c}
		}
	}
	return []*candidate{{memory: m, rule: "TL131", bytes: rate(m)}}
}
