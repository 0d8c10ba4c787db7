package locate

import (
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Hidden returns the one statement of the source that can fill what no name of the program leads to: it makes the value of
// a context variable longer, which only a context refers to; or, where h is an iterator that only a loop refers to, it
// fills a local container of a generator. Where several can it is not told which.
func (l *Locator) Hidden(h evidence.Holder) (Place, bool) {
	var found []candidate
	for _, s := range l.order {
		for _, e := range s.effects {
			if s.addsToContext(e) || iterating[h.Type] && l.fillsGenerator(s, e) {
				found = append(found, candidate{s, e, 1})
			}
		}
	}
	if len(found) != 1 {
		return Place{}, false
	}
	return l.place(found[0].source, found[0].effect, nil), true
}

// iterating are the types of iterators that hand on what others make.
var iterating = map[string]bool{"enumerate": true, "zip": true, "map": true, "filter": true, "islice": true, "generator": true}

// addsToContext reports whether e sets a variable to what it is and more: trace.set(trace.get() + (x,)).
func (s *source) addsToContext(e effect) bool {
	if e.action != Call || e.method != "set" {
		return false
	}
	name := s.Text(s.Child(e.target, pysyntax.FieldObject))
	for r := range s.Walk(e.value) {
		if s.Kind(r) == pysyntax.Call && s.Text(s.Child(r, pysyntax.FieldFunction)) == name+".get" && r != e.value {
			return true
		}
	}
	return false
}

// fillsGenerator reports whether e makes a local container of a generator longer that the source does not empty.
func (l *Locator) fillsGenerator(s *source, e effect) bool {
	function := s.Function(e.node)
	if !lengthens[e.action] || s.Kind(e.target) != pysyntax.Identifier || function == pysyntax.None || !s.yields(function) {
		return false
	}
	name := s.Text(e.target)
	if !s.scopes.Binds(function, name) {
		return false
	}
	first, _ := s.Lines(function)
	_, emptied := l.Empties(evidence.Holder{Kind: "container", Path: name, Scope: evidence.Scope{
		Kind: "local", Name: name, Function: s.Name(function), Line: first, File: s.Path,
	}})
	return !emptied
}

// yields reports whether a function is a generator.
func (s *source) yields(function pysyntax.Ref) bool {
	for r := range s.Walk(function) {
		if s.Kind(r) == pysyntax.Yield && s.Function(r) == function {
			return true
		}
	}
	return false
}
