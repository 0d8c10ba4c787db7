package locate

import (
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Escape returns the statement that keeps the whole container under another name although the program gives its own
// name a new one from time to time: what was meant to go with a reset stays.
func (l *Locator) Escape(h evidence.Holder) (Place, bool) {
	variables := l.variables(h)
	renewed := false
	var best candidate
	for _, s := range l.order {
		for _, e := range s.effects {
			for _, v := range variables {
				if v.distance > 0 {
					continue
				}
				if l.renews(s, e, v) {
					renewed = true
				}
				if strength := l.keepsWhole(s, e, v); strength > best.score {
					best = candidate{s, e, strength}
				}
			}
		}
	}
	if !renewed || best.score == 0 {
		return Place{}, false
	}
	return l.place(best.source, best.effect, nil), true
}

// renews reports whether e gives v a fresh container anywhere but where it is first made.
func (l *Locator) renews(s *source, e effect, v variable) bool {
	if e.action != Assign || !s.constant(e.value) || l.match(s, e.target, v) == noMatch || s.base(e.target) != e.target {
		return false
	}
	function := s.Function(e.node)
	if s.loop(e.node, function) != pysyntax.None {
		return true
	}
	return function != pysyntax.None && s.Name(function) != "__init__" && function != v.scope && l.called(s.Name(function))
}

// called reports whether a call of that name stands in the sources.
func (l *Locator) called(name string) bool {
	for _, s := range l.order {
		for _, e := range s.effects {
			if e.action == Call && e.method == name {
				return true
			}
		}
	}
	return false
}

// keepsWhole says how surely e stores v itself, alone or as one of the things in a tuple, list or dict, in something
// else that lasts.
func (l *Locator) keepsWhole(s *source, e effect, v variable) int {
	if !s.stores(e) || e.value == pysyntax.None || e.action == Extend || e.action == Update || l.match(s, e.target, v) != noMatch {
		return noMatch
	}
	if e.action == Assign && s.attribute(e.target) == "" {
		return noMatch // another name of the same function's: an alias
	}
	queue := []pysyntax.Ref{e.value}
	for len(queue) > 0 {
		r := queue[0]
		queue = queue[1:]
		switch s.Kind(r) {
		case pysyntax.Identifier, pysyntax.Attribute:
			if strength := l.match(s, r, v); strength != noMatch {
				return strength
			}
		case pysyntax.Pair:
			queue = append(queue, s.Child(r, pysyntax.FieldValue))
		case pysyntax.Tuple, pysyntax.List, pysyntax.Dictionary, pysyntax.Set, pysyntax.ExpressionList, pysyntax.ParenthesizedExpression:
			for c := range s.Children(r) {
				queue = append(queue, c)
			}
		}
	}
	return noMatch
}

// Hoards returns the statement that keeps the object whose attribute h is, if it is made anew around the statement that
// fills h, as a record of each epoch is: then h is another container each time. Writes has that statement.
func (l *Locator) Hoards(h evidence.Holder) (Place, bool) {
	if h.Scope.Kind != "attribute" || h.Scope.Class == "" {
		return Place{}, false
	}
	fills := l.fills(h)
	for s, call := range l.calls(lastPart(h.Scope.Class)) {
		for _, f := range fills {
			if kept := s.kept(call); len(kept) > 0 && l.source(f.File) == s && s.around(call, f.Line) {
				return l.place(s, kept[0], nil), true
			}
		}
	}
	return Place{}, false
}

// fills returns the frames in which h was seen to be filled, or the statements that the source does it by.
func (l *Locator) fills(h evidence.Holder) []finding.Frame {
	var frames []finding.Frame
	for _, w := range h.Writes {
		frames = append(frames, w.Frames...)
	}
	if len(frames) == 0 {
		for _, p := range l.Writes(h) {
			frames = append(frames, finding.Frame{File: p.Location.File, Line: p.Location.Line})
		}
	}
	return frames
}

// around reports whether a line lies in the loop that r stands in, or else in its function.
func (s *source) around(r pysyntax.Ref, line int) bool {
	outer := s.Enclosing(r, pysyntax.ForStatement, pysyntax.WhileStatement, pysyntax.FunctionDefinition)
	if outer == pysyntax.None {
		return false
	}
	first, last := s.Lines(outer)
	return first <= line && line <= last
}
