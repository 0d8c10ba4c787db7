package referencecycle

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// byHook: the constructor registers a function of its own that uses self as a hook on a part of self.
func byHook(f *pysyntax.File, initial pysyntax.Ref) *circle {
	self := first(f, initial)
	for r := range f.Walk(initial) {
		callee := f.Child(r, pysyntax.FieldFunction)
		if f.Kind(r) != pysyntax.Call || f.Kind(callee) != pysyntax.Attribute || !strings.HasPrefix(f.Text(callee), self+".") || !strings.HasSuffix(f.Text(callee), "_hook") {
			continue
		}
		hook := f.FirstChild(f.Child(r, pysyntax.FieldArguments))
		if f.Kind(hook) != pysyntax.Identifier {
			continue
		}
		for d := range f.Walk(initial) {
			if d == initial || f.Kind(d) != pysyntax.FunctionDefinition || f.Name(d) != f.Text(hook) || len(uses(f, d, self)) == 0 {
				continue
			}
			return &circle{fmt.Sprintf("the hook `%s`, which a part of it holds, uses `%s`", f.Text(hook), self), f.Statement(r), loosely(f, d, self)}
		}
	}
	return nil
}

// uses returns the places within a function that name self.
func uses(f *pysyntax.File, function pysyntax.Ref, self string) []pysyntax.Ref {
	var found []pysyntax.Ref
	for r := range f.Walk(f.Body(function)) {
		if f.Kind(r) == pysyntax.Identifier && f.Says(r, self) && f.Node(r).Field != pysyntax.FieldAttribute {
			found = append(found, r)
		}
	}
	return found
}

// loosely lets the hook know self by a weak reference. The hook runs only while self does, so nothing changes.
func loosely(f *pysyntax.File, hook pysyntax.Ref, self string) *rule.Edit {
	e := &rule.Edit{Summary: "Let the hook know its owner by a weak reference, or use the `module` that it is given.", File: f}
	module, edits := patch.Import(f, "weakref")
	start, _ := f.LineSpan(f.Line(f.Node(hook).Start))
	indent := string(f.Source[start:f.Node(hook).Start])
	name := "owner"
	if strings.TrimSpace(indent) != "" || strings.Contains(f.Text(f.Function(hook)), name) {
		return e
	}
	edits = append(edits, patch.Edit{Start: start, End: start, Text: indent + name + " = " + module + ".ref(" + self + ")\n"})
	for _, r := range uses(f, hook, self) {
		edits = append(edits, patch.Edit{Start: f.Node(r).Start, End: f.Node(r).End, Text: name + "()"})
	}
	e.Edits, e.Safe = edits, true
	return e
}
