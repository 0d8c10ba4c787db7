package keptstatedict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// files finds checkpoints that are written into memory and kept there under a key of their own.
func files(p *rule.Pass) {
	f := p.File
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) != pysyntax.Assignment || f.Kind(f.Parent(r)) != pysyntax.ExpressionStatement {
			continue
		}
		left, right := f.Child(r, pysyntax.FieldLeft), f.Child(r, pysyntax.FieldRight)
		function := f.Function(r)
		if f.Kind(left) != pysyntax.Subscript || right == pysyntax.None || function == pysyntax.None {
			continue
		}
		holder := f.Text(f.Child(left, pysyntax.FieldValue))
		buffer, ok := strings.CutSuffix(f.Text(right), ".getvalue()")
		if !ok || !strings.HasPrefix(holder, "self.") || !saves(f, function, buffer) || !given(f, function, f.Child(left, pysyntax.FieldSubscript)) || takesOut(f, holder) {
			continue
		}
		m := rule.Mark{At: f.Parent(r), Severity: rule.Heavy, Fix: &rule.Edit{Summary: "Keep the newest few checkpoints, or write them to a disk."},
			Why: fmt.Sprintf("`%s` gets a whole checkpoint under another key each time, and nothing takes one out.", holder)}
		edits, err := patch.Behind(f, f.Parent(r), rule.WithoutOldest(holder, fmt.Sprint(rule.FewModels)))
		if err == nil && !rule.ReadsOfAttribute(f, r, holder).Chosen { // one that is loaded by its key must be there
			m.Fix.Edits = edits
		}
		p.Report(m)
	}
}

// saves reports whether a function writes a state into the buffer of that name.
func saves(f *pysyntax.File, function pysyntax.Ref, buffer string) bool {
	for r := range f.Walk(function) {
		if f.Kind(r) != pysyntax.Call || !f.Says(f.Child(r, pysyntax.FieldFunction), "torch.save") {
			continue
		}
		arguments := f.Child(r, pysyntax.FieldArguments)
		what := f.FirstChild(arguments)
		if what != pysyntax.None && f.NextSibling(what) != pysyntax.None && f.Says(f.NextSibling(what), buffer) && strings.Contains(f.Text(what), "state_dict()") {
			return true
		}
	}
	return false
}

// given reports whether a key is made of a parameter of the function.
func given(f *pysyntax.File, function, key pysyntax.Ref) bool {
	parameters := f.Parameters(function)
	for r := range f.Walk(key) {
		if f.Kind(r) == pysyntax.Identifier && f.Node(r).Field != pysyntax.FieldAttribute && !f.Says(r, "self") && slices.Contains(parameters, f.Text(r)) {
			return true
		}
	}
	return false
}

// takesOut reports whether something in the file takes entries out of the holder.
func takesOut(f *pysyntax.File, holder string) bool {
	return f.Mentions(holder+".pop", holder+".clear(", "del "+holder)
}
