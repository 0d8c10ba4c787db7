package patch

import (
	"regexp"
	"strings"

	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// tensorsOf matches calls that yield nothing but tensors and their names.
var tensorsOf = regexp.MustCompile(`\.(named_)?(parameters|buffers)\(|\.state_dict\(\)\.(items|values)\(`)

// given returns the names that the statement's function was given, and that its loops count with, by their order.
// What it assigned itself it knows.
func given(p locate.Place) map[string]int {
	names := map[string]int{}
	f := p.File
	add := func(name string) {
		if _, known := names[name]; !known {
			names[name] = len(names)
		}
	}
	if p.Scope != pysyntax.None {
		for _, name := range f.Parameters(p.Scope) {
			add(name)
		}
	}
	for a := range f.Ancestors(p.Effect) {
		if a == p.Scope {
			break
		}
		if f.Kind(a) == pysyntax.ForStatement && !tensorsOf.MatchString(f.Text(f.Child(a, pysyntax.FieldRight))) {
			for r := range f.Walk(f.Child(a, pysyntax.FieldLeft)) {
				if f.Kind(r) == pysyntax.Identifier {
					add(f.Text(r))
				}
			}
		}
	}
	outer := p.Scope
	if outer != pysyntax.None {
		outer = f.Body(p.Scope)
	}
	own := map[string]bool{}
	for r := range f.Walk(outer) {
		if f.Kind(r) == pysyntax.Assignment && f.Function(r) == p.Scope {
			assigned(f, r, own)
		}
	}
	for name := range own {
		delete(names, name)
	}
	return names
}

// firstGiven returns the operand of a product that is the first of the names given, None if none is or if one of the
// operands is known to be a tensor. A meter's update(value, n) is given the value first.
func (w *wrapper) firstGiven(r pysyntax.Ref) pysyntax.Ref {
	best := pysyntax.None
	for n := range w.Walk(r) {
		if w.Kind(n) != pysyntax.Identifier || !w.Is(w.Parent(n), pysyntax.BinaryOperator, pysyntax.ParenthesizedExpression, pysyntax.UnaryOperator) {
			continue
		}
		order, ok := w.given[w.Text(n)]
		if !ok {
			return pysyntax.None
		}
		if best == pysyntax.None || order < w.given[w.Text(best)] {
			best = n
		}
	}
	return best
}

// asked reports whether an expression asks already.
func (w *wrapper) asked(r pysyntax.Ref) bool { return strings.Contains(w.Text(r), ".is_tensor(") }

// ask puts the suffix behind a name only where it names a tensor.
func (w *wrapper) ask(r pysyntax.Ref) {
	test, edits := torch(w.File, " if torch.is_tensor(")
	name, n := w.Text(r), w.Node(r)
	open, end := "(", ")"
	if parent := w.Parent(r); w.Is(parent, pysyntax.ArgumentList, pysyntax.Assignment, pysyntax.AugmentedAssignment, pysyntax.Pair) {
		open, end = "", ""
	}
	w.edits = append(w.edits, edits...)
	w.edits = append(w.edits, Edit{n.Start, n.Start, open}, Edit{n.End, n.End, w.suffix + test + name + ") else " + name + end})
}
