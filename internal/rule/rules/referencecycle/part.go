package referencecycle

import (
	"fmt"
	"slices"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// byPart: the constructor makes an attribute of an object that is given self and keeps it.
func byPart(p *rule.Pass, f *pysyntax.File, initial pysyntax.Ref) (circle, bool) {
	self := first(f, initial)
	for r := range f.Walk(initial) {
		if f.Kind(r) != pysyntax.Call || !toAttribute(f, r, self) {
			continue
		}
		position := 1 // the first parameter is the part itself
		for a := range f.Children(f.Child(r, pysyntax.FieldArguments)) {
			if f.Kind(a) == pysyntax.Identifier && f.Says(a, self) {
				name := f.Text(f.Child(r, pysyntax.FieldFunction))
				for _, of := range p.Flow.Near() {
					class := classOf(of, name)
					if keeps := kept(of, method(of, class, "__init__"), position); keeps != pysyntax.None {
						attribute := of.Text(of.Child(of.Child(keeps, pysyntax.FieldLeft), pysyntax.FieldAttribute))
						return circle{fmt.Sprintf("its `%s` refers back to it as `%s`", name, attribute), weakly(p, of, class, keeps, attribute)}, true
					}
				}
			}
			position++
		}
	}
	return circle{}, false
}

func first(f *pysyntax.File, function pysyntax.Ref) string {
	if parameters := f.Parameters(function); len(parameters) > 0 {
		return parameters[0]
	}
	return ""
}

// toAttribute reports whether a call's result goes into an attribute of self, by itself or in a display.
func toAttribute(f *pysyntax.File, call pysyntax.Ref, self string) bool {
	r := f.Parent(call)
	for f.Is(r, pysyntax.List, pysyntax.Tuple, pysyntax.Dictionary, pysyntax.Pair) {
		r = f.Parent(r)
	}
	left := f.Child(r, pysyntax.FieldLeft)
	return f.Kind(r) == pysyntax.Assignment && f.Kind(left) == pysyntax.Attribute && f.Says(f.Child(left, pysyntax.FieldObject), self)
}

// kept returns the assignment by which a constructor keeps the parameter at a position as it is.
func kept(f *pysyntax.File, initial pysyntax.Ref, position int) pysyntax.Ref {
	parameters := f.Parameters(initial)
	if initial == pysyntax.None || position >= len(parameters) {
		return pysyntax.None
	}
	for r := range f.Walk(initial) {
		if f.Kind(r) != pysyntax.Assignment {
			continue
		}
		left, right := f.Child(r, pysyntax.FieldLeft), f.Child(r, pysyntax.FieldRight)
		if f.Kind(left) == pysyntax.Attribute && f.Says(f.Child(left, pysyntax.FieldObject), parameters[0]) && f.Kind(right) == pysyntax.Identifier && f.Says(right, parameters[position]) {
			return r
		}
	}
	return pysyntax.None
}

// weakly keeps a weak reference instead, where all that read the attribute are methods of the class. Who holds the part
// without its owner finds None: it is not safe.
func weakly(p *rule.Pass, f *pysyntax.File, class, assignment pysyntax.Ref, attribute string) *rule.Edit {
	e := &rule.Edit{Summary: "Refer back weakly, by `weakref.ref()`, or pass the owner where it is needed.", File: f}
	left, right := f.Child(assignment, pysyntax.FieldLeft), f.Node(f.Child(assignment, pysyntax.FieldRight))
	module, edits := patch.Import(f, "weakref")
	edits = slices.Concat(edits, []patch.Edit{{Start: right.Start, End: right.Start, Text: module + ".ref("}, {Start: right.End, End: right.End, Text: ")"}})
	for _, of := range p.Flow.Near() {
		for r := range of.Walk(pysyntax.None) {
			if of.Kind(r) != pysyntax.Attribute || of == f && r == left || !of.Says(of.Child(r, pysyntax.FieldAttribute), attribute) {
				continue
			}
			if of != f || !of.Within(r, class) || of.Node(r).Field == pysyntax.FieldLeft {
				return e
			}
			edits = append(edits, patch.Edit{Start: of.Node(r).End, End: of.Node(r).End, Text: "()"})
		}
	}
	e.Edits = edits
	return e
}
