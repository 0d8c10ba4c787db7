// Package locate goes from evidence to the statement of the user's source that has to change: the one that
// stores the reference, registers the hook, carries the state or runs the evaluation with gradients on.
// Statements seen in the watch come first; what was not seen is searched for in the parsed source.
package locate

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Locator finds statements. It parses each file once and is for one goroutine.
type Locator struct {
	open     func(path string) ([]byte, error)
	cwd      string
	sources  map[string]*source // by absolute path; nil for those that cannot be read
	order    []*source          // those considered in searches, in the order they were named
	warnings []string
}

// New returns a Locator that reads sources with open and shortens paths below cwd.
func New(open func(path string) ([]byte, error), cwd string) *Locator {
	return &Locator{open: open, cwd: cwd, sources: map[string]*source{}}
}

// Consider adds files to those searched for writes that were not seen, with the user's files that they import.
// Files named by evidence given to Writes are considered anyway.
func (l *Locator) Consider(paths ...string) {
	for _, path := range paths {
		if !l.user(path) {
			continue
		}
		s := l.source(path)
		if s == nil || l.considered(s) {
			continue
		}
		l.order = append(l.order, s)
		l.Consider(l.imports(s, l.absolute(path))...)
	}
}

func (l *Locator) considered(s *source) bool {
	for _, o := range l.order {
		if o == s {
			return true
		}
	}
	return false
}

// Files returns the files that are searched.
func (l *Locator) Files() []*pysyntax.File {
	all := make([]*pysyntax.File, len(l.order))
	for i, s := range l.order {
		all[i] = s.File
	}
	return all
}

// Warnings returns what could not be read, one sentence each.
func (l *Locator) Warnings() []string { return l.warnings }

// Writes returns the statements that put something into the holder, best first: those seen, then those found.
func (l *Locator) Writes(h evidence.Holder) []Place {
	l.Consider(h.Scope.File)
	if h.Hook != nil {
		l.Consider(h.Hook.File)
	}
	for _, w := range h.Writes {
		for _, f := range l.innermost(w.Frames) {
			l.Consider(f.File)
		}
	}
	variables := l.variables(h)
	seen := l.seen(h, variables)
	switch {
	case len(seen) == 0:
		return l.places(l.search(h, variables))
	case h.Kind == "cache":
		return l.definitions(h, variables, seen)
	case !slices.ContainsFunc(seen, func(p Place) bool { return !waiting.MatchString(p.Location.Code) }):
		// Another thread wrote while the one that was followed stood in that line.
		return append(l.places(l.search(h, variables)), seen...)
	case l.beside(h):
		return append(l.places(l.within(h, l.search(h, variables))), seen...)
	}
	return seen
}

// beside reports that the local names of a function lead to h which was never on the stack when that got longer: another thread is
// in it, and writes while the one that was followed stands in some line.
func (l *Locator) beside(h evidence.Holder) bool {
	function, _, local := strings.Cut(h.Path, "() local ")
	return local && !slices.ContainsFunc(h.Writes, func(w evidence.Write) bool {
		return slices.ContainsFunc(w.Frames, func(f finding.Frame) bool { return f.Function == lastPart(function) })
	})
}

// within returns those of the statements that stand in the function whose local names lead to h.
func (l *Locator) within(h evidence.Holder, found []candidate) []candidate {
	function, _, _ := strings.Cut(h.Path, "() local ")
	return slices.DeleteFunc(found, func(c candidate) bool {
		return c.source.Name(c.source.Function(c.effect.node)) != lastPart(function)
	})
}

// waiting is a statement that does nothing but wait for another thread.
var waiting = regexp.MustCompile(`^[\w.\[\]()]+\.(join|wait|acquire|sleep|synchronize|barrier)\([^()]*\)$`)

// definitions puts the cached function in front of the calls that were seen to fill its cache: it is what to change.
func (l *Locator) definitions(h evidence.Holder, variables []variable, seen []Place) []Place {
	var all []Place
	for _, p := range l.places(l.search(h, variables)) {
		if p.Action == Cache {
			p.Seen = true
			p.Calls = append(p.Calls, seen[0].Calls...)
			all = append(all, p)
		}
	}
	return append(all, seen...)
}

// At returns the statement of the innermost user frame.
func (l *Locator) At(frames []finding.Frame) (Place, bool) {
	if len(frames) == 0 {
		return Place{}, false
	}
	frames = l.innermost(frames)
	s, effects := l.effectsAt(frames[0])
	if len(effects) == 0 {
		l.unreadable(s, frames[0])
		p := l.bare(frames)
		p.Seen = true
		return p, true
	}
	p := l.place(s, s.evaluating(effects), frames)
	p.Seen = true
	return p, true
}

// unreadable warns of a line that its file does not have any more.
func (l *Locator) unreadable(s *source, f finding.Frame) {
	if s == nil || f.Line == 0 {
		return
	}
	w := fmt.Sprintf("%s has no statement at line %d: it was changed after the training began", s.Path, f.Line)
	for _, old := range l.warnings {
		if old == w {
			return
		}
	}
	l.warn("%s", w)
}

// seen returns the statements that the watch saw, most frequent first.
func (l *Locator) seen(h evidence.Holder, variables []variable) []Place {
	writes := append([]evidence.Write(nil), h.Writes...)
	sort.SliceStable(writes, func(i, j int) bool { return writes[i].Count > writes[j].Count })
	var all []Place
	known := map[finding.Location]bool{}
	for _, w := range writes {
		if len(w.Frames) == 0 {
			continue
		}
		frames := l.innermost(w.Frames)
		s, effects := l.effectsAt(frames[0])
		p := l.bare(frames)
		if len(effects) > 0 {
			p = l.place(s, l.fitting(h, s, effects, variables), frames)
		} else {
			l.unreadable(s, frames[0])
		}
		p.Seen = true
		if !known[p.Location] {
			known[p.Location] = true
			all = append(all, p)
		}
	}
	return all
}

// fitting returns the effect that writes to h, else the first one that writes at all.
func (l *Locator) fitting(h evidence.Holder, s *source, effects []effect, variables []variable) effect {
	best := candidate{effect: effects[0]}
	for _, e := range effects {
		if c := l.judge(h, s, e, variables); c.score > best.score {
			best = c
		}
	}
	return best.effect
}

// variables returns the names of a holder in the sources, aliases included.
func (l *Locator) variables(h evidence.Holder) []variable {
	h = l.outside(h)
	name := h.Scope.Name
	if name == "" {
		name = lastName(h.Path)
	}
	if name == "" {
		return nil
	}
	var s *source
	if l.user(h.Scope.File) {
		s = l.source(h.Scope.File)
	}
	v := variable{name: name, source: s}
	switch h.Scope.Kind {
	case "attribute", "class":
		v = variable{name: name, attribute: true, class: lastPart(h.Scope.Class)}
	case "local", "closure", "default":
		if s != nil {
			v.scope = s.binding(name, h.Scope.Function, h.Scope.Line)
		}
	case "global":
	default:
		return l.aliases([]variable{v, {name: name, attribute: true, class: lastPart(h.Scope.Class)}})
	}
	if h.Kind == "slot" {
		return []variable{v} // another name for the value is not written to when the slot is
	}
	return l.aliases([]variable{v})
}

// outside returns h as the program knows it where an attribute of a library's class holds what grows: the program puts
// things into the owner, into self.ready for self.ready.queue.
func (l *Locator) outside(h evidence.Holder) evidence.Holder {
	owner, inside := strings.CutSuffix(h.Path, "."+h.Scope.Name)
	if !inside || h.Scope.Kind != "attribute" || h.Scope.File == "" || l.user(h.Scope.File) {
		return h
	}
	before := owner[strings.LastIndexByte(owner, ' ')+1:]
	if strings.ContainsAny(before, "[]()") {
		return h
	}
	h.Path, h.Type = owner, h.Scope.Class
	h.Scope = evidence.Scope{Kind: "attribute", Name: lastPart(before)}
	if !strings.Contains(before, ".") {
		h.Scope.Kind = "unknown" // a local or a global of some function
	}
	return h
}

// binding returns the scope that binds name in a function given by name and first line. The line may be that of a
// decorator; a name that the function does not bind belongs to one around it.
func (s *source) binding(name, function string, line int) pysyntax.Ref {
	function = lastPart(function)
	best := pysyntax.None
	for r := range s.Walk(pysyntax.None) {
		if !s.Is(r, pysyntax.FunctionDefinition, pysyntax.Lambda) || s.Name(r) != function {
			continue
		}
		scope := r
		if !s.scopes.Binds(r, name) {
			scope = s.scopes.Resolve(name, s.Body(r))
		}
		first, _ := s.Lines(r)
		if p := s.Parent(r); s.Kind(p) == pysyntax.DecoratedDefinition {
			if decorator, _ := s.Lines(p); decorator <= line && line <= first {
				return scope
			}
		}
		if first == line {
			return scope
		}
		if best == pysyntax.None {
			best = scope
		}
	}
	return best
}

// lastName returns the last name of a holder's path: history of trainer.metrics.history['loss'].
func lastName(path string) string {
	end := len(path)
	for i := 0; i < len(path); i++ {
		if path[i] == '[' || path[i] == '(' || path[i] == ' ' {
			end = i
			break
		}
	}
	return lastPart(path[:end])
}
