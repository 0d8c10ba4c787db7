package profiling

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/profile"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// names says what places, operators and reasons are called.
type names struct {
	say    *phrase.Catalogue
	dir    string // the folder that files are shown from
	source func(profile.Place) string
}

func newNames(o Options) names { return names{phrase.In(o.Lang), o.Dir, o.Code} }

// steps says which steps of a process the profile is of.
func (n names) steps(of *profile.Process) string {
	first, last := of.FirstStep, of.FirstStep+int64(max(1, len(of.StepEnds)))-1
	key, pairs := phrase.Key("profile.head"), []string{"first", units.Count(first), "last", units.Count(last)}
	if of.WorldSize > 1 {
		key, pairs = "profile.rank", append(pairs, "rank", strconv.Itoa(of.Rank), "world", strconv.Itoa(of.WorldSize))
	}
	return n.say.Say(key, pairs...)
}

// step is the number of the step in which a call ran.
func (n names) step(of *profile.Process, call int) string {
	return units.Count(of.FirstStep + int64(of.StepOf(call)))
}

// peaks says how high each memory of a process was.
func (n names) peaks(of *profile.Process) (all []string) {
	for _, m := range of.Memories {
		all = append(all, n.say.Say("profile.other", "rank", strconv.Itoa(of.Rank), "memory", plain.Text(m.Name), "size", units.Bytes(m.Peak)))
	}
	return all
}

// told says what a memory is told by.
func (n names) told(m *profile.Memory) string {
	if m.History {
		return n.say.Say("profile.history")
	}
	return n.say.Say("profile.operators")
}

func (n names) category(s profile.Share) string { return n.say.Category(string(s.Category)) }

func (n names) why(r profile.Removable) string {
	switch r.Why {
	case profile.Kept:
		return n.say.Say("profile.kept")
	case profile.Unused:
		return n.say.Say("profile.unused")
	}
	return n.say.Say("profile.temporary", "operators", n.say.Plural(r.Lives, "profile.operator", "profile.manyops"))
}

func (n names) operator(o profile.Origin) string {
	name := plain.Text(o.Operator)
	switch {
	case o.Operator == profile.Older:
		return n.say.Say("profile.older")
	case o.Backward && o.Of != "":
		return n.say.Say("profile.backwardof", "what", name, "operator", plain.Text(o.Of))
	case o.Backward:
		return n.say.Say("profile.backward", "what", name)
	}
	return name
}

func (n names) lineOf(s profile.Share) string {
	text := n.place(s.Site, s.Inside)
	if s.Backward {
		return n.say.Say("profile.backward", "what", text)
	}
	return text
}

func (n names) module(s profile.Share) string {
	if s.Module == "" {
		return n.say.Say("profile.outside")
	}
	return plain.Text(s.Module)
}

func (n names) code(at profile.Place) string {
	if n.source == nil || at.File == "" {
		return ""
	}
	return plain.Text(n.source(at))
}

// place names a line, and the line of a package that it led to.
func (n names) place(site, inside profile.Place) string {
	if site.File == "" {
		return n.say.Say("profile.noline")
	}
	text := n.short(site)
	if inside.File != "" {
		text += " → " + n.short(inside)
	}
	return text
}

// short is a line with its file as seen from the folder, or from where packages are installed.
func (n names) short(at profile.Place) string {
	file := at.File
	if rel, err := filepath.Rel(n.dir, file); err == nil && !strings.HasPrefix(rel, "..") {
		file = rel
	} else if _, after, ok := strings.Cut(file, "-packages/"); ok {
		file = after
	}
	return plain.Text(fmt.Sprintf("%s:%d", file, at.Line))
}
