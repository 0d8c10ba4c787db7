package phrase

import (
	"regexp"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/units"
)

// Verdict is what one memory does, in a sentence without its name and without a full stop:
// "grows by 2.0 MiB every step since step 3".
func (c *Catalogue) Verdict(m finding.Memory) string {
	switch m.Verdict {
	case finding.Leak:
		return c.growth("verdict.leak", m)
	case finding.Outside:
		return c.growth("verdict.outside", m)
	case finding.Cycle:
		return c.Say("verdict.cycle")
	case finding.Fragmentation:
		return c.Say("verdict.fragmentation")
	case finding.Cache:
		return c.Say("verdict.cache")
	case finding.Capacity:
		if m.LastBytes != nil && m.LimitBytes != nil {
			return c.Say("verdict.capacity.of", "last", units.Bytes(*m.LastBytes), "limit", units.Bytes(*m.LimitBytes))
		}
		return c.Say("verdict.capacity")
	case finding.Bounded:
		return c.bounded(m)
	case finding.Healthy:
		if creeps(m) {
			return c.Say("verdict.healthy.creeps", "size", units.Bytes(*m.BytesPerStep))
		}
		if m.LastBytes != nil {
			return c.Say("verdict.healthy.at", "last", units.Bytes(*m.LastBytes))
		}
		return c.Say("verdict.healthy")
	case finding.Undecided:
		return c.undecided(m)
	}
	return c.Say("verdict.unknown", "verdict", string(m.Verdict))
}

// echoes are reasons that only say once more what Verdict does.
var echoes = map[string]finding.Verdict{
	"does not grow after warm-up":                                                     finding.Healthy,
	"grows in nearly every part of the run, by too little a step to matter":           finding.Healthy,
	"rises, and falls when Python's collector runs: garbage reference cycles hold it": finding.Cycle,
	"garbage reference cycles hold memory until Python's collector runs":              finding.Cycle,
	"reserved memory grows with new request sizes while live bytes do not":            finding.Cache,
}

// Reason is what the verdict rests on, where it says more than Verdict does; without a full stop.
func (c *Catalogue) Reason(m finding.Memory) string {
	if v, known := echoes[m.Why]; known && v == m.Verdict || m.Verdict == finding.Bounded && m.UntilStep != nil && stopped.MatchString(m.Why) {
		return ""
	}
	return c.Text(m.Why)
}

// stopped is an echo with figures: the verdict has the second one.
var stopped = regexp.MustCompile(`^grew from step \d+ on and stopped at step \d+$`)

// creeps reports a healthy memory that grows, by too little to matter.
func creeps(m finding.Memory) bool { return m.BytesPerStep != nil && *m.BytesPerStep > 0 }

// growth appends to the sentence called key how much is gained how often and since when.
func (c *Catalogue) growth(key Key, m finding.Memory) string {
	text := c.Say(key)
	periodic := m.Period != nil && *m.Period > 1
	switch {
	case m.BytesPerStep != nil && periodic:
		text += c.Say("growth.periodic", "size", units.Bytes(*m.BytesPerStep**m.Period), "period", units.Count(*m.Period))
	case m.BytesPerStep != nil:
		text += c.Say("growth.by", "size", units.Bytes(*m.BytesPerStep))
	}
	if m.SinceStep != nil {
		text += c.Say("growth.since", "step", units.Count(*m.SinceStep))
	}
	return text
}

func (c *Catalogue) bounded(m finding.Memory) string {
	if m.Copies && m.FirstBytes != nil && m.LastBytes != nil {
		return c.Say("verdict.copies", "first", units.Bytes(*m.FirstBytes), "last", units.Bytes(*m.LastBytes))
	}
	text := c.Say("verdict.bounded")
	if m.FirstBytes != nil && m.LastBytes != nil && *m.FirstBytes < *m.LastBytes {
		// Growth too small to be seen in the two levels, or that was given back, has none to name.
		if first, last := units.Bytes(*m.FirstBytes), units.Bytes(*m.LastBytes); first != last {
			text = c.Say("verdict.bounded.from", "first", first, "last", last)
		}
	}
	if m.UntilStep != nil {
		text += c.Say("bounded.until", "step", units.Count(*m.UntilStep))
	}
	return text
}

func (c *Catalogue) undecided(m finding.Memory) string {
	if m.NeedSteps == nil {
		return c.Say("verdict.undecided")
	}
	if *m.NeedSteps == 1 {
		return c.Say("verdict.undecided.one")
	}
	return c.Say("verdict.undecided.need", "steps", units.Count(*m.NeedSteps))
}

// OutOfMemory says how long the memory lasts at this growth; empty when that is not known.
func (c *Catalogue) OutOfMemory(m finding.Memory) string {
	if m.StepsToOOM == nil {
		return ""
	}
	when := c.when(*m.StepsToOOM, m.SecondsToOOM)
	if m.EndsBy.Refuses() {
		return c.Say("oom.refused", "when", when, "limit", c.Bounding(m.EndsBy))
	}
	return c.Say("oom.ends", "when", when)
}

// when says in how many steps, and in how much time where that is known.
func (c *Catalogue) when(steps int64, seconds *float64) string {
	if seconds == nil {
		return c.Say("when.steps", "steps", units.Count(steps))
	}
	return c.Say("when.time", "steps", units.Count(steps), "time", c.Time(*seconds))
}

// Clock names what ended a step; empty when no step was seen.
func (c *Catalogue) Clock(clock string) string {
	switch clock {
	case "manual", "optimizer", "backward", "forward", "data", "time":
		return c.Say(Key("clock." + clock))
	}
	return clock
}

// Label is a verdict in one or two words.
func (c *Catalogue) Label(v finding.Verdict) string {
	if v.Rank() == len(finding.Verdicts) {
		return string(v)
	}
	return c.Say(Key("label." + string(v)))
}

// Phase names a part of the step.
func (c *Catalogue) Phase(name string) string {
	switch name {
	case "data", "forward", "backward", "optimizer", "evaluation", "rest", "unseen":
		return c.Say(Key("phase." + name))
	}
	return name
}
