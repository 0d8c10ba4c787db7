package locate

import (
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Hidden returns the one statement of the source that can fill what no name of the program leads to: it makes the value of
// a context variable longer, which only a context refers to; or it leaves arguments with atexit, whose list C holds; or,
// where h is an iterator that only a loop refers to, it fills a local container of a generator. Where several can it is not told which.
func (l *Locator) Hidden(h evidence.Holder) (Place, bool) {
	var found []candidate
	for _, s := range l.order {
		for _, e := range s.effects {
			switch {
			case e.action == Update && e.method == "set", h.Type == "tuple" && s.leavesForExit(e),
				iterating[h.Type] && l.fillsGenerator(s, e):
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

// addsTo reports whether value is that of a context variable and more: trace.get() + (x,) for trace.
func (s *source) addsTo(variable, value pysyntax.Ref) bool {
	if variable == pysyntax.None || value == pysyntax.None {
		return false
	}
	for r := range s.Walk(value) {
		if s.Kind(r) == pysyntax.Call && s.Text(s.Child(r, pysyntax.FieldFunction)) == s.Text(variable)+".get" && r != value {
			return true
		}
	}
	return false
}

// leavesForExit reports whether e registers a function for the end of the process, with arguments of its own.
func (s *source) leavesForExit(e effect) bool {
	return e.action == Call && s.Text(e.target) == "atexit.register" && s.argument(e.node, 1) != pysyntax.None
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
