package growingcontainer

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// what frameworks hand to a callback after each batch that is tensors, or holds some.
var handed = map[string]bool{"outputs": true, "output": true, "batch": true, "logits": true, "preds": true, "predictions": true}

// callbacks finds callbacks that keep what they are handed after each batch.
func callbacks(p *rule.Pass) {
	f := p.File
	for m := range f.Walk(pysyntax.None) {
		if f.Kind(m) != pysyntax.FunctionDefinition || f.Class(m) == pysyntax.None || !strings.HasPrefix(f.Name(m), "on_") || !strings.HasSuffix(f.Name(m), "batch_end") {
			continue
		}
		for r := range f.Walk(m) {
			holder, ok := keeps(f, m, r)
			if !ok || emptied(f, holder) || len(rule.Conditions(f, r, m)) > 0 {
				continue
			}
			mark := rule.Mark{At: f.Parent(r), Severity: rule.Heavy, Fix: &rule.Edit{Summary: "Keep a number of each batch, or the newest entries only."},
				Why: fmt.Sprintf("`%s` gets what each batch put out, with its graph where the caller did not cut that, and nothing empties it.", holder)}
			if edits, err := patch.Behind(f, f.Parent(r), rule.Shortened(holder, fmt.Sprint(rule.FewEntries))); err == nil {
				mark.Fix.Edits = edits
			}
			p.Report(mark)
		}
	}
}

// keeps returns the list of self that a call appends one of the handed parameters to, by itself or in a tuple.
func keeps(f *pysyntax.File, method, r pysyntax.Ref) (holder string, ok bool) {
	if f.Kind(r) != pysyntax.Call || f.Kind(f.Parent(r)) != pysyntax.ExpressionStatement {
		return "", false
	}
	holder, ok = strings.CutSuffix(f.Text(f.Child(r, pysyntax.FieldFunction)), ".append")
	if !ok || !strings.HasPrefix(holder, "self.") || strings.ContainsAny(holder, "()[") {
		return "", false
	}
	value := f.FirstChild(f.Child(r, pysyntax.FieldArguments))
	parts := []pysyntax.Ref{value}
	if f.Kind(value) == pysyntax.Tuple {
		parts = parts[:0]
		for c := range f.Children(value) {
			parts = append(parts, c)
		}
	}
	for _, part := range parts {
		if f.Kind(part) == pysyntax.Identifier && handed[f.Text(part)] {
			for _, name := range f.Parameters(method) {
				if f.Says(part, name) {
					return holder, true
				}
			}
		}
	}
	return "", false
}

// emptied reports whether something in the file empties a list, or begins it anew outside of the constructor.
func emptied(f *pysyntax.File, holder string) bool {
	if f.Mentions(holder+".clear(", holder+".pop(", "del "+holder) {
		return true
	}
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) == pysyntax.Assignment && f.Says(f.Child(r, pysyntax.FieldLeft), holder) && f.Name(f.Function(r)) != "__init__" {
			return true
		}
	}
	return false
}
