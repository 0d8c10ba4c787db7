package phrase

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/smoke"
	"github.com/torchleak/torchleak/internal/units"
)

// Check is what one check of a gate saw, in a sentence without a full stop: "cuda:0 grew by 12.0 MiB from step 50 to step
// 150 (123 KiB per step)". ranks is how many processes trained: of one, the rank is not worth saying.
func (c *Catalogue) Check(k smoke.Check, ranks int) string {
	name := k.Memory.Name
	if ranks > 1 {
		name = c.Say("text.rank", "rank", units.Count(int64(k.Rank))) + " " + name
	}
	switch {
	case k.Kind == smoke.Growth:
		return c.windows(k, name)
	case k.Outcome == smoke.Unjudged:
		return c.Say("smoke.gone", "memory", name)
	}
	key := Key("smoke." + string(k.Kind))
	if k.Outcome == smoke.Failed {
		key += ".worse"
	}
	return c.Say(key, "memory", name, "was", signed(k.Was), "now", signed(k.Is), "limit", signed(k.Limit))
}

// windows compares the two windows of a run and says what the verdict is.
func (c *Catalogue) windows(k smoke.Check, name string) string {
	if k.Outcome == smoke.Skipped {
		return c.Say("smoke.unread", "memory", name)
	}
	w := k.Windows
	var text string
	switch {
	case k.Grew == nil && k.Outcome == smoke.Failed: // a leak that is proven needs no windows
		return c.Say("headline.memory", "memory", name, "verdict", c.Verdict(k.Memory))
	case k.Grew == nil:
		text = c.Say("smoke.short", "memory", name, "to", units.Count(w.To))
	case *k.Grew > 0:
		text = c.Say("smoke.grew", "memory", name, "size", units.Bytes(*k.Grew), "each", units.Bytes(k.PerStep()), "from", units.Count(w.From), "to", units.Count(w.To))
	case *k.Grew < 0:
		text = c.Say("smoke.fell", "memory", name, "size", units.Bytes(-*k.Grew), "from", units.Count(w.From), "to", units.Count(w.To))
	default:
		text = c.Say("smoke.same", "memory", name, "from", units.Count(w.From), "to", units.Count(w.To))
	}
	switch {
	case k.Grew == nil || *k.Grew <= 0 || k.Later == nil:
	case *k.Later > 0:
		text += c.Say("smoke.later", "each", units.Bytes(*k.Later), "middle", units.Count(w.Middle))
	default:
		text += c.Say("smoke.stopped", "middle", units.Count(w.Middle))
	}
	return c.Say("smoke.verdict", "sentence", text, "verdict", c.Label(k.Memory.Verdict))
}

// Windows says which steps a gate compares; empty for those of a run of usual length, which every sentence names.
func (c *Catalogue) Windows(w smoke.Windows, steps int64) string {
	if w == smoke.WindowsOf(smoke.DefaultSteps) {
		return ""
	}
	return c.Say("smoke.scaled", "from", units.Count(w.From), "middle", units.Count(w.Middle), "to", units.Count(w.To), "steps", units.Count(steps))
}

// Outcome is a gate's outcome in a word.
func (c *Catalogue) Outcome(o smoke.Outcome) string { return c.Say(Key("smoke.outcome." + string(o))) }

// Differs says in what a run differs from the saved one that it is compared with.
func (c *Catalogue) Differs(d smoke.Difference) string {
	return c.Say(Key("smoke.differs."+string(d.What)), "was", d.Was, "is", d.Is)
}

// Cause is what a failed check rests on, in a line: the rule and the statement to change; empty where none is known.
func Cause(k smoke.Check) string {
	f := k.Finding
	if f == nil {
		return ""
	}
	words := []string{f.Rule, f.Name}
	if f.Location != nil {
		words = append(words, fmt.Sprintf("%s:%d", f.Location.File, f.Location.Line), f.Location.Code)
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// signed is a figure that may be below nothing, as growth of a memory that falls.
func signed(n int64) string {
	if n < 0 {
		return units.SignedBytes(n)
	}
	return units.Bytes(n)
}
