package ctxattribute

import (
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// repair saves the output of `ctx.y = y` for backward, where it is all that the function saves, and reads it from there.
func repair(f *pysyntax.File, assignment pysyntax.Ref) *rule.Edit {
	left, right := f.Child(assignment, pysyntax.FieldLeft), f.Child(assignment, pysyntax.FieldRight)
	class := f.Class(f.Function(assignment))
	if class == pysyntax.None || f.Kind(right) != pysyntax.Identifier || f.Kind(f.Parent(assignment)) != pysyntax.ExpressionStatement {
		return nil
	}
	if text := f.Text(class); strings.Contains(text, "save_for_backward") || strings.Contains(text, "saved_tensors") {
		return nil
	}
	ctx := f.Text(f.Child(left, pysyntax.FieldObject))
	e := &rule.Edit{Summary: "Save the output with `ctx.save_for_backward()`, which makes no circle.", Safe: true, Edits: []patch.Edit{
		{Start: f.Node(assignment).Start, End: f.Node(assignment).End, Text: ctx + ".save_for_backward(" + f.Text(right) + ")"}}}
	name := f.Text(f.Child(left, pysyntax.FieldAttribute))
	for r := range f.Walk(class) {
		if f.Kind(r) != pysyntax.Attribute || r == left || !f.Says(f.Child(r, pysyntax.FieldAttribute), name) {
			continue
		}
		object := f.Child(r, pysyntax.FieldObject)
		if f.Kind(object) != pysyntax.Identifier || !f.Says(object, first(f, f.Function(r))) {
			continue
		}
		if f.Name(f.Function(r)) != "backward" || f.Is(f.Parent(r), pysyntax.Assignment, pysyntax.AugmentedAssignment) && f.Child(f.Parent(r), pysyntax.FieldLeft) == r {
			return nil // it is read or written elsewhere as well
		}
		e.Edits = append(e.Edits, patch.Edit{Start: f.Node(r).Start, End: f.Node(r).End, Text: f.Text(object) + ".saved_tensors[0]"})
	}
	return e
}

// first names the first parameter of a function.
func first(f *pysyntax.File, function pysyntax.Ref) string {
	if parameters := f.Parameters(function); len(parameters) > 0 {
		return parameters[0]
	}
	return ""
}
