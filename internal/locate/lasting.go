package locate

import (
	"slices"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// How long what a data set keeps of what it hands out lasts, and how much it can become.

// collating returns the functions that loaders are told to make their batches with: they run in the workers too.
func (l *Locator) collating() []function {
	var found []function
	for _, s := range l.order {
		for _, r := range s.all(pysyntax.KeywordArgument) {
			if !s.Says(s.Child(r, pysyntax.FieldName), "collate_fn") {
				continue
			}
			value := s.Child(r, pysyntax.FieldValue)
			if s.Kind(value) == pysyntax.Identifier {
				value = s.given(value)
			}
			name := s.lastName(value)
			found = append(found, l.functions(name)...)
			found = append(found, l.methods(name, "__call__")...)
		}
	}
	return found
}

// given is what a name was given where it is used, the name itself where that cannot be told.
func (s *source) given(name pysyntax.Ref) pysyntax.Ref {
	scope := s.scopes.Resolve(s.Text(name), name)
	for _, e := range s.effects {
		if e.action == Assign && s.Says(e.target, s.Text(name)) && s.scopes.Resolve(s.Text(name), e.target) == scope {
			return e.value
		}
	}
	return name
}

// isMade reports that one of the functions makes an instance of the class.
func isMade(functions []function, class string) bool {
	return slices.ContainsFunc(functions, func(f function) bool {
		return slices.ContainsFunc(f.effects, func(e effect) bool { return f.Kind(e.node) == pysyntax.Call && e.method == class })
	})
}

// indexed reports an entry that is set under what __getitem__ was asked for, or what comes of that, in what it calls too: a data set
// has no more of those than samples.
func (l *Locator) indexed(reached []function, f function, e effect) bool {
	key := f.keyOf(e)
	if f.Name(f.definition) == "__getitem__" {
		return f.ofIndex(key)
	}
	place := slices.Index(f.Parameters(f.definition), f.Text(key))
	if place < 0 {
		return false
	}
	if f.Class(f.definition) != pysyntax.None {
		place-- // self
	}
	called := false
	for _, caller := range reached {
		for _, c := range caller.effects {
			if caller.Kind(c.node) != pysyntax.Call || c.method != f.Name(f.definition) {
				continue
			}
			if called = true; !caller.ofIndex(caller.argumentFor(c.node, place, f.Text(key))) {
				return false
			}
		}
	}
	return called
}

// keyOf is what an entry is set under, None where it is not set under anything.
func (f function) keyOf(e effect) pysyntax.Ref {
	switch e.action {
	case SetItem:
		return f.only(f.whole(e), pysyntax.FieldSubscript)
	case SetDefault:
		return f.argument(e.node, 0)
	}
	return pysyntax.None
}

// only is the child in a field that has no other: x[a, b] has two subscripts.
func (f function) only(r pysyntax.Ref, field pysyntax.Field) pysyntax.Ref {
	found, several := pysyntax.None, false
	for c := range f.Children(r) {
		if f.Node(c).Field == field {
			found, several = c, found != pysyntax.None
		}
	}
	if several {
		return pysyntax.None
	}
	return found
}

// ofIndex reports an expression of the index that __getitem__ was asked for, and of nothing else that could change: what it reads
// beside is an entry of an attribute, as self.names[index] is.
func (f function) ofIndex(r pysyntax.Ref) bool {
	parameters := f.Parameters(f.definition)
	if r == pysyntax.None || f.Name(f.definition) != "__getitem__" || len(parameters) < 2 {
		return false
	}
	found := false
	for c := range f.Walk(r) {
		switch {
		case f.Kind(c) == pysyntax.Call:
			return false
		case f.Kind(c) != pysyntax.Identifier:
		case f.Says(c, parameters[1]):
			found = true
		default:
			for f.Kind(f.Parent(c)) == pysyntax.Attribute {
				c = f.Parent(c)
			}
			if around := f.Parent(c); f.Kind(around) != pysyntax.Subscript || f.Child(around, pysyntax.FieldValue) != c {
				return false
			}
		}
	}
	return found
}

// iterated is the name of its own that an iteration gave an empty container before it began to hand out: it has it until it ends.
func (f function) iterated(r pysyntax.Ref) (evidence.Holder, bool) {
	name := f.Text(r)
	if f.Kind(r) != pysyntax.Identifier || f.Name(f.definition) != "__iter__" || f.scopes.Resolve(name, r) != f.definition {
		return evidence.Holder{}, false
	}
	made := 0
	for _, e := range f.effects {
		switch {
		case e.action != Assign || !f.Says(e.target, name):
		case f.hollow(e.value) && f.loop(e.node, f.definition) == pysyntax.None:
			made++
		default:
			return evidence.Holder{}, false
		}
	}
	class, first := f.Name(f.Class(f.definition)), f.location(f.definition).Line
	h := evidence.Holder{Kind: "container", Path: class + ".__iter__() local " + name}
	h.Scope = evidence.Scope{Kind: "local", Name: name, Function: "__iter__", File: f.Path, Line: first}
	return h, made == 1
}

// shortens reports that a function cuts down, or takes out of, what one of its own names stands for.
func (f function) shortens(r pysyntax.Ref) bool {
	if f.Kind(r) != pysyntax.Identifier {
		return false
	}
	name := f.Text(r)
	for _, e := range f.effects {
		object := f.Child(e.target, pysyntax.FieldObject)
		switch {
		case e.action == SetItem && f.Says(f.base(e.target), name) && f.sliced(f.Child(e.node, pysyntax.FieldLeft)):
			return true
		case e.action == Call && f.Says(object, name) && slices.Contains(takesOut, e.method):
			return true
		}
	}
	for _, d := range f.all(pysyntax.DeleteStatement) {
		if c := f.FirstChild(d); f.Within(d, f.definition) && f.Kind(c) == pysyntax.Subscript && f.Says(f.base(c), name) {
			return true
		}
	}
	return false
}

// takesOut are the methods that take something out of a container.
var takesOut = []string{"pop", "popitem", "popleft", "remove", "discard", "clear"}
