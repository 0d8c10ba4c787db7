package locate

import (
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// passing names calls that hand on what they are called on, at least its meaning: the value was made before.
var passing = map[string]bool{
	"detach": true, "clone": true, "cpu": true, "cuda": true, "to": true, "float": true, "half": true, "double": true,
	"contiguous": true, "numpy": true, "item": true, "tolist": true, "squeeze": true, "unsqueeze": true, "view": true,
	"reshape": true, "flatten": true, "list": true, "tuple": true, "dict": true, "append": true, "copy": true, "deepcopy": true,
}

// Origin returns where the value that p stores is made, inside the function of p: the assignment of its name, or
// the statement itself if it makes the value; for a parameter the caller's frame, if the stack was seen. It is
// empty where the source does not tell.
func (l *Locator) Origin(p Place) []finding.Frame {
	if !p.Readable() || p.Stored == pysyntax.None {
		return nil
	}
	s := l.sourceOf(p.File)
	if s == nil {
		return nil
	}
	if s.makes(p.Stored, p.Target) || s.Kind(p.Stored) == pysyntax.Call && plainResult[s.lastName(p.Stored)] {
		return []finding.Frame{s.frame(p.Statement)}
	}
	value, statement := p.Stored, p.Statement
	for range 8 {
		e, ok := s.origin(value, p.Target)
		if !ok {
			break
		}
		value, statement = e.value, e.statement
		if s.makes(value, p.Target) {
			break
		}
	}
	if s.gathers(value) {
		return nil
	}
	if statement != p.Statement {
		return []finding.Frame{s.frame(statement)}
	}
	if s.parameter(value, p.Scope) && len(p.Calls) > 1 {
		return l.innermost(p.Calls[1:])
	}
	return nil
}

// origin returns the assignment of a name in value that is not the target itself: of the one that a model makes, else
// of the first.
func (s *source) origin(value pysyntax.Ref, target string) (effect, bool) {
	var first effect
	found := false
	for _, n := range s.names(value) {
		if s.Says(n, target) || strings.HasPrefix(target, s.Text(n)+"[") || !s.handsOn(n, value) {
			continue
		}
		e, ok := s.definition(n)
		if !ok {
			continue
		}
		if puts := s.puts(n); s.constant(e.value) && len(puts) > 0 {
			e = puts[0] // an empty container holds what is put into it
		}
		if s.constant(e.value) || s.Says(n, s.Text(s.base(e.value))) {
			continue // a number, a text, or a name that is given its own value: nothing that makes a tensor
		}
		if s.runsModel(e.statement) {
			return e, true
		}
		if !found {
			first, found = e, true
		}
	}
	return first, found
}

// handsOn reports whether a name's own tensors are in the value: not those of an index, and not what item() makes of it.
func (s *source) handsOn(name, value pysyntax.Ref) bool {
	child := name
	for a := range s.Ancestors(name) {
		if child == value {
			break
		}
		switch s.Kind(a) {
		case pysyntax.Subscript:
			if child != s.Child(a, pysyntax.FieldValue) {
				return false
			}
		case pysyntax.Call:
			callee := s.Child(a, pysyntax.FieldFunction)
			if child == callee && plainResult[s.lastName(callee)] || child != callee && s.convertsObject(callee) {
				return false
			}
		}
		child = a
	}
	return true
}

// convertsObject reports whether a method hands on what it is called on, whatever it is given: x.to(device).
func (s *source) convertsObject(callee pysyntax.Ref) bool {
	if s.Kind(callee) != pysyntax.Attribute || !passing[s.lastName(callee)] || s.lastName(callee) == "append" {
		return false
	}
	switch s.Text(s.Child(callee, pysyntax.FieldObject)) {
	case "torch", "np", "numpy", "copy":
		return false
	}
	return true
}

// plainResult names methods of tensors that make numbers.
var plainResult = map[string]bool{"item": true, "tolist": true, "size": true, "dim": true, "numel": true}

func (s *source) runsModel(statement pysyntax.Ref) bool {
	_, score := s.bestModel(s.effectsIn(statement), s.evaluated(s.Function(statement)), namedModel)
	return score >= namedModel
}

// makes reports whether an expression computes a new value itself. A sum that target grows by does not: what is added
// was made elsewhere.
func (s *source) makes(r pysyntax.Ref, target string) bool {
	for n := range s.Walk(r) {
		if s.Kind(n) == pysyntax.Call && !passing[s.lastName(s.Child(n, pysyntax.FieldFunction))] {
			return true
		}
	}
	if !s.Is(r, pysyntax.BinaryOperator) {
		return false
	}
	for n := range s.Walk(r) {
		if s.Is(n, pysyntax.Identifier, pysyntax.Attribute, pysyntax.Subscript) && s.Text(n) == target {
			return false
		}
	}
	return true
}

// gathers reports whether an expression only puts together what was made elsewhere: {"lr": lr}, dict(row).
func (s *source) gathers(r pysyntax.Ref) bool {
	if s.Is(r, pysyntax.Dictionary, pysyntax.List, pysyntax.Set) {
		return !s.makes(r, "")
	}
	switch s.Text(s.Child(r, pysyntax.FieldFunction)) {
	case "dict", "list", "tuple", "set":
		return s.Kind(r) == pysyntax.Call
	}
	return false
}

func (s *source) parameter(value, function pysyntax.Ref) bool {
	for _, n := range s.names(value) {
		for _, p := range s.Parameters(function) {
			if s.Text(n) == p && p != "self" {
				return true
			}
		}
	}
	return false
}

func (s *source) frame(statement pysyntax.Ref) finding.Frame {
	function := "<module>"
	if f := s.Function(statement); f != pysyntax.None {
		function = s.Name(f)
	}
	return finding.Frame{File: s.Path, Line: s.location(statement).Line, Function: function}
}

// sourceOf returns what the Locator knows of a file of its own.
func (l *Locator) sourceOf(f *pysyntax.File) *source {
	if s := l.source(f.Path); s != nil && s.File == f {
		return s
	}
	return nil
}
