// Package profiling writes profiles: as text for people, as JSON, and for the tools that people look at profiles with.
package profiling

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/torchleak/torchleak/internal/profile"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// Options say how a text looks.
type Options struct {
	Rows int                        // how many lines each table has at most
	Dir  string                     // the folder that files are shown from
	Code func(profile.Place) string // the source of a line, empty where it cannot be read
}

type printer struct {
	Options
	out strings.Builder
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(&p.out, format+"\n", args...) }

// WriteText writes profiles for people: the process with the highest peak in full, of the others their peaks.
func WriteText(w io.Writer, all []profile.Process, o Options) error {
	p := &printer{Options: o}
	main := highest(all)
	for i := range all {
		if i != main {
			p.peaks(&all[i])
		}
	}
	p.process(&all[main])
	for _, n := range all[main].Notes {
		p.line("\nNote: %s", plain.Text(n))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// highest is the process with the highest peak on a device, or on the host where none uses one.
func highest(all []profile.Process) (best int) {
	var peak [2]int64 // of the host, of devices
	for i := range all {
		var here [2]int64
		for _, m := range all[i].Memories {
			on := 1
			if m.Name == "host" {
				on = 0
			}
			here[on] = max(here[on], m.Peak)
		}
		if here[1] > peak[1] || here[1] == peak[1] && here[0] > peak[0] {
			best, peak = i, here
		}
	}
	return best
}

func (p *printer) peaks(of *profile.Process) {
	for _, m := range of.Memories {
		p.line("rank %d  %s  peak %s", of.Rank, plain.Text(m.Name), units.Bytes(m.Peak))
	}
}

func (p *printer) process(of *profile.Process) {
	first := of.FirstStep
	head := fmt.Sprintf("torchleak profile: steps %d to %d", first, first+int64(len(of.StepEnds))-1)
	if of.WorldSize > 1 {
		head += fmt.Sprintf(", rank %d of %d", of.Rank, of.WorldSize)
	}
	p.line("%s", head)
	for i := range of.Memories {
		p.memory(of, &of.Memories[i])
	}
}

func (p *printer) memory(of *profile.Process, m *profile.Memory) {
	told := "of tensors, as operators return them"
	if m.History {
		told = "of blocks, by the allocator's history"
	}
	p.line("\n%s  memory %s", plain.Text(m.Name), told)
	p.line("  peak   %s%s", units.Bytes(m.Peak), p.when(of, m))
	p.line("  steps  %s", p.steps(m))
	rows := of.Rows(m)
	shares := profile.SharesOf(rows)
	p.table("At the peak", m, shares.Categories, func(s profile.Share) string { return string(s.Category) })
	p.table("By operator", m, shares.Operators, func(s profile.Share) string { return operator(s.Origin) })
	p.table("By line", m, shares.Lines, p.lineOf)
	p.table("By module", m, shares.Modules, func(s profile.Share) string {
		if s.Module == "" {
			return "outside of modules"
		}
		return plain.Text(s.Module)
	})
	p.removables(m, of.Removables(m))
}

// when says during which operator the peak was.
func (p *printer) when(of *profile.Process, m *profile.Memory) string {
	if m.PeakOp < 0 {
		return ", before the first operator"
	}
	c := &of.Calls[m.PeakOp]
	return fmt.Sprintf(", in step %d at %s, %s", of.FirstStep+int64(of.StepOf(m.PeakOp)),
		operator(profile.Origin{Operator: c.Operator, Of: c.Of, Backward: c.Backward}), p.place(c.Site, c.Inside))
}

func (p *printer) steps(m *profile.Memory) string {
	peaks := make([]string, len(m.Steps))
	for i, n := range m.Steps {
		peaks[i] = units.Bytes(n)
	}
	return "peaks of " + strings.Join(peaks, ", ")
}

// table lists the shares that are there at the peak.
func (p *printer) table(title string, m *profile.Memory, shares []profile.Share, name func(profile.Share) string) {
	p.line("\n  %s", title)
	shown := 0
	for _, s := range shares {
		if s.Bytes == 0 || shown == p.Rows {
			continue
		}
		shown++
		p.line("    %9s %5.1f %%  %s", units.Bytes(s.Bytes), 100*float64(s.Bytes)/float64(m.Peak), name(s))
	}
	rest := 0
	for _, s := range shares {
		if s.Bytes > 0 {
			rest++
		}
	}
	if rest > shown {
		p.line("    … %d more", rest-shown)
	}
}

func (p *printer) removables(m *profile.Memory, found []profile.Removable) {
	if len(found) == 0 {
		p.line("\n  Nothing was found that the peak would be lower without.")
		return
	}
	p.line("\n  Removable, perhaps: without one of these the peak would be lower by")
	for i, r := range found {
		if i == p.Rows {
			p.line("    … %d more", len(found)-i)
			break
		}
		p.line("    %9s %5.1f %%  %s, %s; %s", units.Bytes(r.Saves), 100*float64(r.Saves)/float64(m.Peak),
			operator(r.Origin), p.place(r.Site, r.Inside), why(r))
		if code := p.code(r.Site); code != "" {
			p.line("                         %s", code)
		}
	}
}

func why(r profile.Removable) string {
	switch r.Why {
	case profile.Kept:
		return "made in an earlier step and not used in this one"
	case profile.Unused:
		return "held until backward, which does not use it"
	}
	return "a temporary, there for " + units.Plural(r.Lives, "operator")
}

func operator(o profile.Origin) string {
	name := plain.Text(o.Operator)
	switch {
	case o.Backward && o.Of != "":
		return name + " in backward of " + plain.Text(o.Of)
	case o.Backward:
		return name + " in backward"
	}
	return name
}

func (p *printer) lineOf(s profile.Share) string {
	if s.Site.File == "" {
		return "before the profile, or no line"
	}
	text := p.place(s.Site, s.Inside)
	if s.Backward {
		text += " in backward"
	}
	text += "  " + string(s.Category)
	if code := p.code(s.Site); code != "" {
		text += "  " + code
	}
	return text
}

func (p *printer) code(at profile.Place) string {
	if p.Code == nil || at.File == "" {
		return ""
	}
	return plain.Text(p.Code(at))
}

// place names a line, and the line of a package that it led to.
func (p *printer) place(site, inside profile.Place) string {
	if site.File == "" {
		return "no line"
	}
	text := p.short(site)
	if inside.File != "" {
		text += " → " + p.short(inside)
	}
	return text
}

func (p *printer) short(at profile.Place) string {
	file := at.File
	if rel, err := filepath.Rel(p.Dir, file); err == nil && !strings.HasPrefix(rel, "..") {
		file = rel
	} else if _, after, ok := strings.Cut(file, "-packages/"); ok {
		file = after
	}
	return plain.Text(fmt.Sprintf("%s:%d", file, at.Line))
}
