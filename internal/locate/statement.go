package locate

import (
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// place describes the statement that e acts in. Frames are the stack that led there, if any was seen.
func (l *Locator) place(s *source, e effect, frames []finding.Frame) Place {
	p := Place{
		Action:    e.action,
		File:      s.File,
		Statement: e.statement,
		Effect:    e.node,
		Stored:    e.value,
		Location:  s.location(e.statement),
	}
	if e.target != pysyntax.None {
		p.Target = s.Text(s.whole(e))
	}
	if e.value != pysyntax.None {
		p.Value = s.Text(e.value)
	}
	p.Scope = s.Function(e.node)
	p.Function = "<module>"
	if p.Scope != pysyntax.None {
		p.Function = s.Name(p.Scope)
		if class := s.Class(p.Scope); class != pysyntax.None {
			p.Class = s.Name(class)
		}
	}
	p.InLoop = s.loop(e.node, p.Scope) != pysyntax.None
	p.GradOff = s.gradOff(e.node)
	p.Calls = l.shorten(frames)
	if len(p.Calls) == 0 {
		p.Calls = []finding.Frame{{File: p.Location.File, Line: p.Location.Line, Function: p.Function}}
	}
	return p
}

// whole returns what is written to as one would say it: d[k] for an assignment to d[k].
func (s *source) whole(e effect) pysyntax.Ref {
	if e.action == SetItem && s.Kind(s.Parent(e.target)) == pysyntax.Subscript {
		return s.Parent(e.target)
	}
	return e.target
}

// location says where a statement is: the head alone of one with a body.
func (s *source) location(statement pysyntax.Ref) finding.Location {
	n := s.Node(statement)
	end := s.Head(statement)
	if s.Kind(statement) == pysyntax.DecoratedDefinition {
		end = s.Head(s.Child(statement, pysyntax.FieldDefinition))
	}
	code := strings.TrimRight(string(s.Source[n.Start:end]), " \t\r\n\f")
	last := s.Line(n.Start + uint32(max(len(code)-1, 0)))
	text := s.Text(statement)
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		text = text[:i]
	}
	return finding.Location{File: s.Path, Line: s.Line(n.Start), EndLine: last, Code: strings.TrimSpace(text)}
}

// loop returns the loop or comprehension around r inside its function, None if there is none.
func (s *source) loop(r, function pysyntax.Ref) pysyntax.Ref {
	child := r
	for a := range s.Ancestors(r) {
		if a == function {
			break
		}
		switch s.Kind(a) {
		case pysyntax.ForStatement, pysyntax.WhileStatement:
			if s.Node(child).Field == pysyntax.FieldBody {
				return a
			}
		case pysyntax.ListComprehension, pysyntax.SetComprehension, pysyntax.DictionaryComprehension, pysyntax.GeneratorExpression:
			return a
		}
		child = a
	}
	return pysyntax.None
}

func (l *Locator) shorten(frames []finding.Frame) []finding.Frame {
	short := make([]finding.Frame, len(frames))
	for i, f := range frames {
		f.File = l.short(f.File)
		short[i] = f
	}
	return short
}

// bare is the place of a frame whose source cannot be read.
func (l *Locator) bare(frames []finding.Frame) Place {
	f := l.shorten(frames[:1])[0]
	return Place{
		Location: finding.Location{File: f.File, Line: f.Line, EndLine: f.Line},
		Calls:    l.shorten(frames),
		Action:   Other,
		Function: f.Function,
	}
}

// innermost drops the frames of libraries in front of the first one of the user's; all stay if none is the user's.
func (l *Locator) innermost(frames []finding.Frame) []finding.Frame {
	for i, f := range frames {
		if l.user(f.File) {
			return frames[i:]
		}
	}
	return frames
}

// effectsAt returns what the code of a frame's line does, most telling first.
func (l *Locator) effectsAt(frame finding.Frame) (*source, []effect) {
	s := l.source(frame.File)
	if s == nil {
		return nil, nil
	}
	var inside, outside []effect
	for _, statement := range s.StatementsAt(frame.Line) {
		for _, e := range s.effectsIn(statement) {
			if s.runsIn(e.node, frame.Function) {
				inside = append(inside, e)
			} else {
				outside = append(outside, e)
			}
		}
	}
	all := append(inside, outside...)
	if len(inside) > 0 {
		all = inside
	}
	sortByWeight(all)
	return s, all
}

// effectsIn returns the effects of a statement's own code, the statement itself if it has none.
func (s *source) effectsIn(statement pysyntax.Ref) []effect {
	var all []effect
	end := s.Head(statement)
	for r := range s.Walk(statement) {
		if s.Node(r).Start >= end {
			break
		}
		all = append(all, s.effectsOf(r)...)
	}
	for i := range all {
		all[i].statement = statement
	}
	if len(all) == 0 {
		all = []effect{{action: Other, statement: statement, node: statement}}
	}
	return all
}

// runsIn reports whether r runs in the frame of a function of that name. Comprehensions had frames of their own
// before Python 3.12.
func (s *source) runsIn(r pysyntax.Ref, function string) bool {
	name := "<module>"
	if f := s.Function(r); f != pysyntax.None {
		name = s.Name(f)
	}
	if i := strings.LastIndexByte(function, '.'); i >= 0 {
		function = function[i+1:] // a qualified name
	}
	switch function {
	case "", name, "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>":
		return true
	}
	return false
}
