// Package profiling writes profiles: as text for people, as JSON, and for the tools that people look at profiles with.
package profiling

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/profile"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// Options say how a text looks.
type Options struct {
	Rows int    // how many lines each table has at most
	Lang string // "en" or "zh"
	Dir  string // the folder that files are shown from
	// Code is the source of a line, empty where it cannot be read.
	Code func(profile.Place) string
}

type printer struct {
	names
	rows int
	out  strings.Builder
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(&p.out, format+"\n", args...) }

// WriteText writes profiles for people: the process with the highest peak in full, of the others their peaks.
func WriteText(w io.Writer, all []profile.Process, o Options) error {
	p := &printer{names: newNames(o), rows: o.Rows}
	main := highest(all)
	for i := range all {
		if i != main {
			for _, peak := range p.peaks(&all[i]) {
				p.line("%s", peak)
			}
		}
	}
	p.process(&all[main])
	for _, n := range all[main].Notes {
		p.line("\n%s", p.say.Say("hold.note", "note", plain.Text(p.say.Text(n))))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// highest is the process with the highest peak on a device, or on the host where none uses one.
func highest(all []profile.Process) (best int) {
	var peak [2]int64 // of devices, of the host
	for i := range all {
		var here [2]int64
		for _, m := range all[i].Memories {
			on := 0
			if m.Name == "host" {
				on = 1
			}
			here[on] = max(here[on], m.Peak)
		}
		if slices.Compare(here[:], peak[:]) > 0 {
			best, peak = i, here
		}
	}
	return best
}

func (p *printer) process(of *profile.Process) {
	p.line("%s", p.steps(of))
	for i := range of.Memories {
		p.memory(of, &of.Memories[i])
	}
}

func (p *printer) memory(of *profile.Process, m *profile.Memory) {
	p.line("\n%s  %s", plain.Text(m.Name), p.told(m))
	p.peak(of, m)
	peaks := make([]string, len(m.Steps))
	for i, n := range m.Steps {
		peaks[i] = units.Bytes(n)
	}
	if len(peaks) > 0 { // none where the program ended within the first
		p.line("%s", p.say.Say("profile.steps", "sizes", p.say.List(peaks...)))
	}
	shares := profile.SharesOf(of.Rows(m))
	p.table("profile.atpeak", m, shares.Categories, p.category)
	p.table("profile.byoperator", m, shares.Operators, func(s profile.Share) string { return p.operator(s.Origin) })
	p.table("profile.byline", m, shares.Lines, p.explained)
	p.table("profile.bymodule", m, shares.Modules, p.module)
	p.removables(m, of.Removables(m))
}

// peak says how high it is, and during which operator it was.
func (p *printer) peak(of *profile.Process, m *profile.Memory) {
	if m.PeakOp < 0 {
		p.line("%s", p.say.Say("profile.before", "size", units.Bytes(m.Peak)))
		return
	}
	at := of.Calls[m.PeakOp].Origin()
	p.line("%s", p.say.Say("profile.peak", "size", units.Bytes(m.Peak), "step", p.step(of, m.PeakOp),
		"operator", p.operator(at), "line", p.place(at.Site, at.Inside)))
}

// table lists the shares that are there at the peak.
func (p *printer) table(title phrase.Key, m *profile.Memory, shares []profile.Share, name func(profile.Share) string) {
	p.line("\n  %s", p.say.Say(title))
	there := atPeak(shares)
	for _, s := range there[:min(len(there), p.rows)] {
		p.line("    %s  %s", part(s.Bytes, m), name(s))
	}
	p.rest(len(there))
}

// atPeak are the shares that are there at the peak.
func atPeak(shares []profile.Share) []profile.Share {
	return slices.DeleteFunc(slices.Clone(shares), func(s profile.Share) bool { return s.Bytes == 0 })
}

// part shows bytes as they are and as a part of the peak.
func part(bytes int64, m *profile.Memory) string {
	return fmt.Sprintf("%9s %5s %%", units.Bytes(bytes), percent(bytes, m))
}

func (p *printer) rest(n int) {
	if n > p.rows {
		p.line("    %s", p.say.Say("hold.more", "count", units.Count(int64(n-p.rows))))
	}
}

func (p *printer) removables(m *profile.Memory, found []profile.Removable) {
	if len(found) == 0 {
		p.line("\n  %s", p.say.Say("profile.nothing"))
		return
	}
	p.line("\n  %s", p.say.Say("profile.removable"))
	for _, r := range found[:min(len(found), p.rows)] {
		p.line("    %s  %s", part(r.Saves, m), p.say.List(p.operator(r.Origin), p.place(r.Site, r.Inside), p.why(r)))
		if code := p.code(r.Site); code != "" {
			p.line("                         %s", code)
		}
	}
	p.rest(len(found))
}

// explained is a line with what most of its memory is for, and its code.
func (p *printer) explained(s profile.Share) string {
	text := p.lineOf(s) + "  " + p.category(s)
	if code := p.code(s.Site); code != "" {
		text += "  " + code
	}
	return text
}
