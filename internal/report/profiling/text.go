// Package profiling writes profiles: as text for people, as JSON, and for the tools that people look at profiles with.
package profiling

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
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
	Options
	say *phrase.Catalogue
	out strings.Builder
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(&p.out, format+"\n", args...) }

// WriteText writes profiles for people: the process with the highest peak in full, of the others their peaks.
func WriteText(w io.Writer, all []profile.Process, o Options) error {
	p := &printer{Options: o, say: phrase.In(o.Lang)}
	main := highest(all)
	for i := range all {
		if i != main {
			p.peaks(&all[i])
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

func (p *printer) peaks(of *profile.Process) {
	for _, m := range of.Memories {
		p.line("%s", p.say.Say("profile.other", "rank", strconv.Itoa(of.Rank), "memory", plain.Text(m.Name), "size", units.Bytes(m.Peak)))
	}
}

func (p *printer) process(of *profile.Process) {
	first, last := of.FirstStep, of.FirstStep+int64(max(1, len(of.StepEnds)))-1
	key, pairs := phrase.Key("profile.head"), []string{"first", units.Count(first), "last", units.Count(last)}
	if of.WorldSize > 1 {
		key, pairs = "profile.rank", append(pairs, "rank", strconv.Itoa(of.Rank), "world", strconv.Itoa(of.WorldSize))
	}
	p.line("%s", p.say.Say(key, pairs...))
	for i := range of.Memories {
		p.memory(of, &of.Memories[i])
	}
}

func (p *printer) memory(of *profile.Process, m *profile.Memory) {
	told := phrase.Key("profile.operators")
	if m.History {
		told = "profile.history"
	}
	p.line("\n%s", p.say.Say(told, "memory", plain.Text(m.Name)))
	p.peak(of, m)
	peaks := make([]string, len(m.Steps))
	for i, n := range m.Steps {
		peaks[i] = units.Bytes(n)
	}
	if len(peaks) > 0 { // none where the program ended within the first
		p.line("%s", p.say.Say("profile.steps", "sizes", p.say.List(peaks...)))
	}
	shares := profile.SharesOf(of.Rows(m))
	p.table("profile.atpeak", m, shares.Categories, func(s profile.Share) string { return p.say.Category(string(s.Category)) })
	p.table("profile.byoperator", m, shares.Operators, func(s profile.Share) string { return p.operator(s.Origin) })
	p.table("profile.byline", m, shares.Lines, p.lineOf)
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
	p.line("%s", p.say.Say("profile.peak", "size", units.Bytes(m.Peak), "step", units.Count(of.FirstStep+int64(of.StepOf(m.PeakOp))),
		"operator", p.operator(at), "line", p.place(at.Site, at.Inside)))
}

// table lists the shares that are there at the peak.
func (p *printer) table(title phrase.Key, m *profile.Memory, shares []profile.Share, name func(profile.Share) string) {
	p.line("\n  %s", p.say.Say(title))
	there := slices.DeleteFunc(slices.Clone(shares), func(s profile.Share) bool { return s.Bytes == 0 })
	for _, s := range there[:min(len(there), p.Rows)] {
		p.line("    %s  %s", part(s.Bytes, m), name(s))
	}
	p.rest(len(there))
}

// part shows bytes as they are and as a part of the peak.
func part(bytes int64, m *profile.Memory) string {
	return fmt.Sprintf("%9s %5.1f %%", units.Bytes(bytes), 100*float64(bytes)/float64(m.Peak))
}

func (p *printer) rest(n int) {
	if n > p.Rows {
		p.line("    %s", p.say.Say("hold.more", "count", units.Count(int64(n-p.Rows))))
	}
}

func (p *printer) removables(m *profile.Memory, found []profile.Removable) {
	if len(found) == 0 {
		p.line("\n  %s", p.say.Say("profile.nothing"))
		return
	}
	p.line("\n  %s", p.say.Say("profile.removable"))
	for _, r := range found[:min(len(found), p.Rows)] {
		p.line("    %s  %s", part(r.Saves, m), p.say.List(p.operator(r.Origin), p.place(r.Site, r.Inside), p.why(r)))
		if code := p.code(r.Site); code != "" {
			p.line("                         %s", code)
		}
	}
	p.rest(len(found))
}

func (p *printer) why(r profile.Removable) string {
	switch r.Why {
	case profile.Kept:
		return p.say.Say("profile.kept")
	case profile.Unused:
		return p.say.Say("profile.unused")
	}
	return p.say.Say("profile.temporary", "operators", p.say.Plural(r.Lives, "profile.operator", "profile.manyops"))
}

func (p *printer) operator(o profile.Origin) string {
	name := plain.Text(o.Operator)
	switch {
	case o.Operator == profile.Older:
		return p.say.Say("profile.older")
	case o.Backward && o.Of != "":
		return p.say.Say("profile.backwardof", "what", name, "operator", plain.Text(o.Of))
	case o.Backward:
		return p.say.Say("profile.backward", "what", name)
	}
	return name
}

func (p *printer) module(s profile.Share) string {
	if s.Module == "" {
		return p.say.Say("profile.outside")
	}
	return plain.Text(s.Module)
}

func (p *printer) lineOf(s profile.Share) string {
	text := p.place(s.Site, s.Inside)
	if s.Backward {
		text = p.say.Say("profile.backward", "what", text)
	}
	text += "  " + p.say.Category(string(s.Category))
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
		return p.say.Say("profile.noline")
	}
	text := p.short(site)
	if inside.File != "" {
		text += " → " + p.short(inside)
	}
	return text
}

// short is a line with its file as seen from the folder, or from where packages are installed.
func (p *printer) short(at profile.Place) string {
	file := at.File
	if rel, err := filepath.Rel(p.Dir, file); err == nil && !strings.HasPrefix(rel, "..") {
		file = rel
	} else if _, after, ok := strings.Cut(file, "-packages/"); ok {
		file = after
	}
	return plain.Text(fmt.Sprintf("%s:%d", file, at.Line))
}
