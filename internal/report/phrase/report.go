package phrase

import (
	"fmt"
	"math"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/units"
)

// Grows says whether a verdict calls for a statement to change.
func Grows(v finding.Verdict) bool {
	return v == finding.Leak || v == finding.Outside || v == finding.Cycle
}

// Worst returns the memory to speak of first: of those that grow the one that is full first, else the one with the gravest verdict, of
// several the one that grows most; nil for none.
func Worst(memories []finding.Memory) *finding.Memory {
	var worst *finding.Memory
	for i := range memories {
		if m := &memories[i]; worst == nil || Worse(*m, *worst) {
			worst = m
		}
	}
	return worst
}

// Worse reports whether a is to be spoken of before b.
func Worse(a, b finding.Memory) bool {
	grows := Grows(a.Verdict) && Grows(b.Verdict)
	switch x, y := steps(a), steps(b); {
	case grows && x != y:
		return x < y
	case a.Verdict != b.Verdict:
		return a.Verdict.Rank() < b.Verdict.Rank()
	}
	return rate(a) > rate(b)
}

// steps is after how many a memory is full; the most there are where that is not known.
func steps(m finding.Memory) int64 {
	if m.StepsToOOM == nil {
		return math.MaxInt64
	}
	return *m.StepsToOOM
}

func rate(m finding.Memory) int64 {
	if m.BytesPerStep == nil {
		return 0
	}
	return *m.BytesPerStep
}

// Headline is the whole report in a sentence, without a full stop.
func (c *Catalogue) Headline(r finding.Report) string {
	if r.OOM != nil && r.OOM.Fatal && !Grows(r.Verdict) {
		return c.Short(*r.OOM)
	}
	if r.Steps.Seen == 0 {
		return c.Say("headline.nosteps")
	}
	if len(r.Memories) == 0 {
		return c.Say("headline.nothing")
	}
	if m := Subject(r); m != nil {
		return c.Say("headline.memory", "memory", m.Name, "verdict", c.Verdict(*m))
	}
	return c.Say("headline.healthy", "steps", units.Count(r.Steps.Seen))
}

// Subject is the memory that the headline is about; nil where it is about all of them, or about something else.
func Subject(r finding.Report) *finding.Memory {
	m := Worst(r.Memories)
	if m == nil || r.Steps.Seen == 0 || r.OOM != nil && r.OOM.Fatal && !Grows(r.Verdict) || r.Verdict == finding.Healthy && len(r.Memories) > 1 && !creeps(*m) {
		return nil
	}
	return m
}

// State says whether a report is the last word or how far it has come; empty when no step was seen. A target whose end
// was not seen may still run.
func (c *Catalogue) State(r finding.Report) string {
	switch {
	case r.Steps.Seen == 0:
		return ""
	case r.Target.Attached != nil && r.Target.Attached.LetGo:
		return c.Say("text.let_go", "step", units.Count(r.Steps.Seen))
	case r.Target.Exit == nil && r.Target.End == nil:
		return c.Say("text.so_far", "step", units.Count(r.Steps.Seen))
	}
	return c.Say("text.final")
}

// Same says of a finding that the fix of another one ends its growth too; empty where none does.
func (c *Catalogue) Same(f finding.Finding, all []finding.Finding) string {
	if f.SameGrowthAs == nil || *f.SameGrowthAs < 0 || *f.SameGrowthAs >= len(all) {
		return ""
	}
	other := all[*f.SameGrowthAs]
	rule := other.Rule + " " + other.Name
	if other.Location == nil {
		return c.Say("text.same_rule", "rule", rule)
	}
	return c.Say("text.same", "rule", rule, "place", fmt.Sprintf("%s:%d", other.Location.File, other.Location.Line))
}

// NoSteps says, of a report in which no step was seen, what to do about it.
func (c *Catalogue) NoSteps(r finding.Report) string {
	if exit := r.Target.Exit; exit != nil && *exit != 0 {
		return c.Say("nosteps.failed", "status", units.Count(int64(*exit)))
	}
	return c.Say("nosteps.hint")
}

// Steps says how many steps were seen and what ended them.
func (c *Catalogue) Steps(s finding.Steps) string {
	text := c.Say("measured.step", "clock", c.Clock(s.Clock))
	if s.Seen != 1 {
		text = c.Say("measured.steps", "steps", units.Count(s.Seen), "clock", c.Clock(s.Clock))
	}
	if s.Warmup > 0 {
		text += c.Say("measured.warmup", "steps", units.Count(s.Warmup))
	}
	return text
}

// Cost says what watching cost the target; empty when that is not known.
func (c *Catalogue) Cost(cost *finding.Cost) string {
	if cost == nil {
		return ""
	}
	each := c.Time(cost.MicrosecondsPerStep / 1e6)
	if cost.EvidenceSeconds <= 0 {
		return c.Say("measured.probe", "each", each)
	}
	return c.Say("measured.cost", "each", each, "stopped", c.Time(cost.EvidenceSeconds))
}

// Attached says what being attached to cost the target; empty where it was started under watch.
func (c *Catalogue) Attached(a *finding.Attached) string {
	if a == nil {
		return ""
	}
	return c.Say("measured.stood", "stopped", c.Time(a.StoppedSeconds))
}

// Time is a length of time. SI's own signs (ms, s) are the same in every language.
func (c *Catalogue) Time(seconds float64) string {
	text := units.Seconds(seconds)
	if c.Lang != "zh" {
		return text
	}
	words := strings.Fields(text)
	for i, w := range words {
		if name, ok := chineseTimes[w]; ok {
			words[i] = name
		}
	}
	return strings.Join(words, " ")
}

// Costs says what a finding costs: per step, in number, in bytes held.
func (c *Catalogue) Costs(f finding.Finding) []string {
	var out []string
	if f.BytesPerStep != nil {
		out = append(out, c.Say("text.step", "size", units.Bytes(*f.BytesPerStep)))
	}
	if f.Count != nil && ofTensors(f) {
		key := Key("text.tensors")
		if *f.Count == 1 {
			key = "text.tensor"
		}
		out = append(out, c.Say(key, "count", units.Count(*f.Count)))
	} else if f.Count != nil { // no tensor was seen to be born: groups, hooks, plain Python values
		out = append(out, c.Say("text.kept", "count", units.Count(*f.Count)))
	}
	switch {
	case f.RetainedBytes != nil && f.AsOfStep != nil:
		out = append(out, c.Say("text.held_at", "size", units.Bytes(*f.RetainedBytes), "step", units.Count(*f.AsOfStep)))
	case f.RetainedBytes != nil:
		out = append(out, c.Say("text.held", "size", units.Bytes(*f.RetainedBytes)))
	case f.Count != nil && f.AsOfStep != nil: // graph nodes for the most part, whose bytes are not known
		out = append(out, c.Say("text.as_of", "step", units.Count(*f.AsOfStep)))
	}
	return out
}

// ofTensors reports that what a finding counts are tensors: they were seen to be born. Entries of other kinds have rules of
// their own.
func ofTensors(f finding.Finding) bool {
	return len(f.AllocatedAt) > 0 && f.Rule != "TL116" && f.Rule != "TL119"
}

// Holder is what keeps the memory: path, type and length.
func (c *Catalogue) Holder(h finding.Holder) string {
	path := c.Words(h.Path)
	switch {
	case h.Type != "" && h.Length != nil:
		return fmt.Sprintf("%s (%s, %s)", path, h.Type, units.Count(*h.Length))
	case h.Type != "":
		return fmt.Sprintf("%s (%s)", path, h.Type)
	}
	return path
}
