package phrase

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/units"
)

// Short says what ran out, without a full stop.
func (c *Catalogue) Short(p finding.PostMortem) string {
	if p.RequestedBytes == nil {
		return c.Say("shortage.headline", "place", p.Memory)
	}
	return c.Say("shortage.headline.asked", "place", p.Memory, "size", units.Bytes(*p.RequestedBytes))
}

// Refused says when and where memory ran out, without a full stop.
func (c *Catalogue) Refused(p finding.PostMortem) string {
	size := c.Say("shortage.some")
	if p.RequestedBytes != nil {
		size = units.Bytes(*p.RequestedBytes)
	}
	text := c.Say("shortage.refused", "memory", p.Memory, "size", size, "step", units.Count(p.Step))
	if len(p.At) > 0 {
		text += c.Say("text.comma") + c.Say("shortage.at", "function", p.At[0].Function, "place", place(p.At[0]))
	}
	if p.During == "backward" {
		text += c.Say("text.comma") + c.Say("shortage.backward")
	}
	if !p.Fatal {
		text += c.Say("text.comma") + c.Say("shortage.caught")
	}
	if p.Count > 1 {
		text += c.Say("text.comma") + c.Say("shortage.times", "count", units.Count(p.Count))
	}
	return text
}

// Alive is what lived, by category, without a full stop; empty where nothing is known.
func (c *Catalogue) Alive(p finding.PostMortem) string {
	var parts []string
	for _, a := range p.Alive {
		parts = append(parts, c.AliveAs(a.Category)+" "+units.Bytes(a.Bytes))
	}
	return c.List(parts...)
}

// AliveAs names a category of live memory; one that is not known keeps its own name.
func (c *Catalogue) AliveAs(category string) string {
	if name, known := c.texts[Key("alive."+strings.ReplaceAll(category, " ", "_"))]; known {
		return name
	}
	return category
}

// Live describes live tensors alike.
func (c *Catalogue) Live(t finding.LiveTensors) string {
	shape := strings.ReplaceAll(fmt.Sprint(t.Shape), " ", ", ")
	text := fmt.Sprintf("%s  %d × %s %s", units.Bytes(t.Bytes), t.Count, shape, t.Dtype)
	text += "  " + c.AliveAs(t.Category)
	if t.At != nil {
		text += "  " + c.Say("shortage.name", "name", t.Name, "function", t.At.Function, "place", place(*t.At))
	}
	return text
}

// SavedBy describes what graphs hold of modules alike.
func (c *Catalogue) SavedBy(m finding.ModuleSaved) string {
	return fmt.Sprintf("%s  %d × %s  %s", units.Bytes(m.Bytes), m.Count, m.Type, m.Module)
}

// MadeAt describes live memory by its line.
func (c *Catalogue) MadeAt(l finding.LiveLine) string {
	if len(l.Frames) == 0 {
		return units.Bytes(l.Bytes)
	}
	return fmt.Sprintf("%s  %s %s", units.Bytes(l.Bytes), place(l.Frames[0]), l.Frames[0].Function)
}

func place(f finding.Frame) string { return fmt.Sprintf("%s:%d", f.File, f.Line) }
