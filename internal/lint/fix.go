package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// maxRounds bounds how often files are looked at again after they were changed.
const maxRounds = 10

// Fixed is what fixing made of the files.
type Fixed struct {
	Files  []FixedFile
	Left   *Result  // what is found in the files as they are now
	Failed []string // fixes that were not applied, and why
	First  []Choice // those that the first look offered
}

// Choice names a fix by the finding that it mends.
type Choice struct {
	Path string // of the file, as it is opened
	File string // as it is shown
	Line int
	Rule string // its number
	Name string // and its name
}

// FixedFile is one file that fixing changes.
type FixedFile struct {
	Path   string // as it is opened; "-" for stdin
	Name   string // as it is shown
	Before []byte // as on disk
	After  []byte
	Fixes  int
	Diff   string
}

// fixer applies fixes round by round: a change may bring another finding to light.
type fixer struct {
	unsafe  bool
	only    []Choice
	first   []Choice
	overlay map[string][]byte // sources as changed so far
	files   map[string]*FixedFile
	banned  map[string]bool // by path: files whose fixes make no headway
	failed  []string
}

// attempt is what was done to one file in a round.
type attempt struct {
	fixables map[string]int // by rule: how many there were
	before   []byte
	applied  int
}

// idle reports whether nothing came of a: no rule has fewer fixes left than before. A fix may bring another rule's to
// light, so their sum says nothing.
func (a attempt) idle(left []fixable) bool {
	now := count(left)
	for rule, n := range a.fixables {
		if now[rule] < n {
			return false
		}
	}
	return true
}

// count says how many of all belong to each rule.
func count(all []fixable) map[string]int {
	n := map[string]int{}
	for _, f := range all {
		n[f.rule.ID]++
	}
	return n
}

// Fix lints and applies the fixes that are safe, with unsafe the others too. Nothing is written: see Write.
func Fix(opts Options, unsafe bool) (*Fixed, error) {
	x := &fixer{unsafe: unsafe, only: opts.Only, overlay: map[string][]byte{}, files: map[string]*FixedFile{}, banned: map[string]bool{}}
	last := map[string]attempt{}
	for round := range maxRounds {
		r, err := run(opts, x.overlay)
		if err != nil {
			return nil, err
		}
		if round > 0 && opts.Only != nil {
			return x.done(r), nil
		}
		byFile := x.wanted(r)
		undone := false
		for path, a := range last {
			if a.idle(byFile[path]) {
				x.undo(path, a)
				undone = true
			}
		}
		last = map[string]attempt{}
		if undone {
			continue
		}
		for path, all := range byFile {
			if a, ok := x.apply(path, all); ok {
				last[path] = a
			}
		}
		if len(last) == 0 {
			return x.done(r), nil
		}
	}
	r, err := run(opts, x.overlay)
	if err != nil {
		return nil, err
	}
	return x.done(r), nil
}

// wanted returns the fixes to apply, by file, in the order of the source.
func (x *fixer) wanted(r *Result) map[string][]fixable {
	byFile := map[string][]fixable{}
	for _, f := range r.fixes {
		choice := f.choice()
		if f.edit.Safe || x.unsafe {
			if len(x.files) == 0 && !slices.Contains(x.first, choice) {
				x.first = append(x.first, choice)
			}
			if path := f.target.path; !x.banned[path] && (x.only == nil || slices.Contains(x.only, choice)) {
				byFile[path] = append(byFile[path], f)
			}
		}
	}
	return byFile
}

// apply puts the fixes of one file into the overlay. Those that overlap wait for the next round; one whose result
// does not parse is left out.
func (x *fixer) apply(path string, all []fixable) (a attempt, ok bool) {
	s := all[0].target
	a = attempt{fixables: count(all), before: s.text()}
	edits, applied := x.joined(s, all, false)
	p, err := patch.Apply(s.tree, slices.Clone(edits))
	if err != nil && len(all) > 1 { // each parses by itself: leave out those that do not go together
		edits, applied = x.joined(s, all, true)
		p, err = patch.Apply(s.tree, edits)
	}
	if a.applied = applied; applied == 0 {
		return a, false
	}
	if err != nil {
		x.fail(fmt.Sprintf("%s was not fixed: %v", s.name, err))
		return a, false
	}
	x.overlay[path] = p.Source
	file := x.files[path]
	if file == nil {
		file = &FixedFile{Path: path, Name: s.name, Before: a.before}
		x.files[path] = file
	}
	file.Fixes += a.applied
	return a, true
}

// joined returns the edits of the fixes that do not overlap, and how many fixes these are; with each, those of which
// the source parses with all before.
func (x *fixer) joined(s *source, all []fixable, each bool) (edits []patch.Edit, applied int) {
	there := map[patch.Edit]bool{} // an import that two fixes need is made once
	findings := map[Choice]bool{}  // one may be mended by two changes
	for _, f := range all {
		if overlaps(edits, f.edit.Edits) {
			continue
		}
		if each {
			if _, err := patch.Apply(s.tree, slices.Concat(edits, f.edit.Edits)); err != nil {
				x.fail(fmt.Sprintf("%s:%d: %s was not fixed: %v", s.name, f.line, f.rule.Name, err))
				continue
			}
		}
		for _, e := range f.edit.Edits {
			if !there[e] {
				there[e] = true
				edits = append(edits, e)
			}
		}
		findings[f.choice()] = true
	}
	return edits, len(findings)
}

// choice names the finding of a fix.
func (f fixable) choice() Choice {
	return Choice{f.source.path, f.source.name, f.line, f.rule.ID, f.rule.Name}
}

// text is the source as on disk.
func (s *source) text() []byte {
	if s.tree.BOM {
		return append([]byte("\ufeff"), s.tree.Source...)
	}
	return s.tree.Source
}

// undo takes back a round that was idle: its fixes end nothing, and would pile up.
func (x *fixer) undo(path string, a attempt) {
	file := x.files[path]
	file.Fixes -= a.applied
	x.overlay[path] = a.before
	x.banned[path] = true
	x.fail(file.Name + ": fixes were taken back, since what they mend is found again after them; please report it")
}

func (x *fixer) fail(text string) {
	if !slices.Contains(x.failed, text) {
		x.failed = append(x.failed, text)
	}
}

func (x *fixer) done(left *Result) *Fixed {
	out := &Fixed{Left: left, Failed: x.failed, First: x.first}
	for path, file := range x.files {
		file.After = x.overlay[path]
		if bytes.Equal(file.Before, file.After) {
			continue
		}
		if before, err := pysyntax.Parse(file.Name, file.Before); err == nil {
			file.Diff = patch.Unified(before, bytes.TrimPrefix(file.After, []byte("\ufeff")))
		}
		out.Files = append(out.Files, *file)
	}
	slices.SortFunc(out.Files, func(a, b FixedFile) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// overlaps reports whether one of the edits touches bytes of those that are there already. The same edit twice (an
// import that two fixes need) does no harm.
func overlaps(there, more []patch.Edit) bool {
	for _, e := range more {
		for _, t := range there {
			if e == t {
				continue
			}
			if e.Start < t.End && t.Start < e.End || e.Start == t.Start || e.Start == e.End && t.Start < e.Start && e.Start < t.End {
				return true
			}
		}
	}
	return false
}
