package referencecycle

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// byPart: the constructor makes an attribute of an object that is given self and keeps it.
func byPart(p *rule.Pass, f *pysyntax.File, initial pysyntax.Ref) *circle {
	self := first(f, initial)
	for r := range f.Walk(initial) {
		if f.Kind(r) != pysyntax.Call || !toAttribute(f, r, self) {
			continue
		}
		position := 1 // the first parameter is the part itself
		for a := range f.Children(f.Child(r, pysyntax.FieldArguments)) {
			if f.Kind(a) == pysyntax.Identifier && f.Says(a, self) {
				name := f.Text(f.Child(r, pysyntax.FieldFunction))
				for _, of := range p.Flow.Defining(name) {
					class := classOf(of, name)
					if keeps := kept(of, of.Method(class, "__init__"), position); keeps != pysyntax.None {
						attribute := of.Text(of.Child(of.Child(keeps, pysyntax.FieldLeft), pysyntax.FieldAttribute))
						return &circle{fmt.Sprintf("its `%s` refers back to it as `%s`", name, attribute), of.Statement(keeps), weakly(of, keeps)}
					}
				}
			}
			position++
		}
	}
	return nil
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

// byChild: a method makes self known to what it puts into a container of self, as the parent of a tree's node.
func byChild(f *pysyntax.File, class pysyntax.Ref) *circle {
	for m := range f.Walk(class) {
		parameters := f.Parameters(m)
		if f.Kind(m) != pysyntax.FunctionDefinition || f.Class(m) != class || len(parameters) < 2 {
			continue
		}
		for _, child := range parameters[1:] {
			keeps := pysyntax.None
			holds := false
			for r := range f.Walk(m) {
				switch f.Kind(r) {
				case pysyntax.Assignment:
					left := f.Child(r, pysyntax.FieldLeft)
					if f.Kind(left) == pysyntax.Attribute && f.Says(f.Child(left, pysyntax.FieldObject), child) && f.Says(f.Child(r, pysyntax.FieldRight), parameters[0]) {
						keeps = r
					}
				case pysyntax.Call:
					callee := f.Text(f.Child(r, pysyntax.FieldFunction))
					holds = holds || strings.HasPrefix(callee, parameters[0]+".") && strings.HasSuffix(callee, ".append") && f.Says(f.FirstChild(f.Child(r, pysyntax.FieldArguments)), child)
				}
			}
			if keeps != pysyntax.None && holds {
				return &circle{fmt.Sprintf("what it holds refers back to it as `%s`", f.Text(f.Child(keeps, pysyntax.FieldLeft))), f.Statement(keeps), weakly(f, keeps)}
			}
		}
	}
	return nil
}

// weakly refers back by a weak proxy, which is read like what it stands for. Who holds the part longer than its owner
// finds that gone: it is not safe.
func weakly(f *pysyntax.File, assignment pysyntax.Ref) *rule.Edit {
	owner := f.Node(f.Child(assignment, pysyntax.FieldRight))
	module, edits := patch.Import(f, "weakref")
	return &rule.Edit{Summary: "Refer back weakly, by `weakref.proxy()`, or pass the owner where it is needed.", File: f, Edits: append(edits,
		patch.Edit{Start: owner.Start, End: owner.Start, Text: module + ".proxy("}, patch.Edit{Start: owner.End, End: owner.End, Text: ")"})}
}
