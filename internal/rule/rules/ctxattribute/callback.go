package ctxattribute

import (
	"fmt"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// callbacks finds outputs that are kept where a function on ctx gets at them: `self.y = F.apply(self.step, x)` with
// `ctx.step = step`.
func callbacks(p *rule.Pass) {
	f := p.File
	for _, forward := range p.Flow.Functions {
		if forward.Role != pyflow.FunctionForward {
			continue
		}
		handed := onContext(f, forward.Node)
		if len(handed) == 0 || !single(f, forward.Node) {
			continue
		}
		for r := range f.Walk(pysyntax.None) {
			if f.Kind(r) != pysyntax.Call || !f.Says(f.Child(r, pysyntax.FieldFunction), f.Name(f.Class(forward.Node))+".apply") {
				continue
			}
			kept := f.Child(f.Parent(r), pysyntax.FieldLeft)
			if f.Kind(f.Parent(r)) != pysyntax.Assignment || f.Kind(f.Parent(f.Parent(r))) != pysyntax.ExpressionStatement || !f.Is(kept, pysyntax.Attribute, pysyntax.Subscript) || replaced(f, kept) {
				continue
			}
			position := 0
			for a := range f.Children(f.Child(r, pysyntax.FieldArguments)) {
				position++
				if name := handed[position]; name != "" && reaches(f, a, kept) {
					p.Report(rule.Mark{At: f.Statement(r), Severity: rule.Light, Fix: beside(p, r, kept), Why: fmt.Sprintf(
						"`%s` is on the node of the call as `%s`, and gets at `%s`, where the output is kept: output, node, function and output again are a cycle that waits for Python's collector.",
						f.Text(a), name, f.Text(kept))})
				}
			}
		}
	}
}

// replaced reports whether what is kept gives way to something else before the function ends.
func replaced(f *pysyntax.File, kept pysyntax.Ref) bool {
	for r := range f.Walk(f.Function(kept)) {
		if r > kept && f.Kind(r) == f.Kind(kept) && f.Says(r, f.Text(kept)) && target(f, r) {
			return true
		}
	}
	return false
}

// target reports whether r is given a value, alone or with others.
func target(f *pysyntax.File, r pysyntax.Ref) bool {
	for f.Is(f.Parent(r), pysyntax.PatternList, pysyntax.TuplePattern) {
		r = f.Parent(r)
	}
	return f.Kind(f.Parent(r)) == pysyntax.Assignment && f.Child(f.Parent(r), pysyntax.FieldLeft) == r
}

// onContext says under which attribute of ctx a forward keeps its parameters, by their position behind ctx, from 1.
func onContext(f *pysyntax.File, forward pysyntax.Ref) map[int]string {
	parameters := f.Parameters(forward)
	handed := map[int]string{}
	for r := range f.Walk(forward) {
		left, right := f.Child(r, pysyntax.FieldLeft), f.Child(r, pysyntax.FieldRight)
		if f.Kind(r) != pysyntax.Assignment || f.Kind(left) != pysyntax.Attribute || f.Kind(right) != pysyntax.Identifier || !f.Says(f.Child(left, pysyntax.FieldObject), parameters[0]) {
			continue
		}
		if i := slices.Index(parameters, f.Text(right)); i > 0 {
			handed[i] = f.Text(left)
		}
	}
	return handed
}

// single reports whether a function returns one value, not several.
func single(f *pysyntax.File, function pysyntax.Ref) bool {
	for r := range f.Walk(function) {
		if f.Kind(r) == pysyntax.ReturnStatement && f.Function(r) == function && f.Is(f.FirstChild(r), pysyntax.Tuple, pysyntax.ExpressionList) {
			return false
		}
	}
	return true
}

// reaches reports whether a function gets at what is kept: a method of the object that keeps it, or a function that uses
// the variable it is kept in.
func reaches(f *pysyntax.File, function, kept pysyntax.Ref) bool {
	around := f.Function(kept)
	base := kept
	for f.Is(base, pysyntax.Attribute, pysyntax.Subscript) {
		base = f.FirstChild(base)
	}
	if f.Kind(base) != pysyntax.Identifier || around == pysyntax.None {
		return false
	}
	switch f.Kind(function) {
	case pysyntax.Attribute:
		return f.Says(f.Child(function, pysyntax.FieldObject), f.Text(base)) && f.Says(base, first(f, around)) &&
			f.Method(f.Class(around), f.Text(f.Child(function, pysyntax.FieldAttribute))) != pysyntax.None
	case pysyntax.Identifier:
		for d := range f.Walk(around) {
			if d != around && f.Kind(d) == pysyntax.FunctionDefinition && f.Says(function, f.Name(d)) {
				return mentions(f, f.Body(d), f.Text(base))
			}
		}
	case pysyntax.Lambda:
		return mentions(f, function, f.Text(base))
	}
	return false
}

func mentions(f *pysyntax.File, within pysyntax.Ref, name string) bool {
	for r := range f.Walk(within) {
		if f.Kind(r) == pysyntax.Identifier && f.Says(r, name) && f.Node(r).Field != pysyntax.FieldAttribute {
			return true
		}
	}
	return false
}

// output is what the variable is called that holds the output beside what is kept.
const output = "output"

// beside holds the output in a variable, which the rest of the function uses, and keeps it without its graph. There are no
// edits where somebody else may need the graph of what is kept.
func beside(p *rule.Pass, call, kept pysyntax.Ref) *rule.Edit {
	f := p.File
	e := &rule.Edit{Summary: "Keep the output without its graph (`.detach()`), and hand on the one that has it."}
	function, statement := f.Function(kept), f.Statement(call)
	if mentions(f, function, output) || elsewhere(p, kept) {
		return e
	}
	edits, err := patch.Behind(f, statement, f.Text(kept)+" = "+output+".detach()")
	if err != nil {
		return e
	}
	edits = append(edits, patch.Edit{Start: f.Node(kept).Start, End: f.Node(kept).End, Text: output})
	handsOn := false
	for r := range f.Walk(pysyntax.None) {
		switch {
		case r == kept || !reads(f, r, f, kept) || cuts(f, r):
		case f.Function(r) == function && r > call && f.Says(r, f.Text(kept)):
			handsOn = true
			edits = append(edits, patch.Edit{Start: f.Node(r).Start, End: f.Node(r).End, Text: output})
		default:
			return e
		}
	}
	if handsOn {
		e.Edits = edits
	}
	return e
}

// elsewhere reports whether another file may need the graph of the attribute that is kept.
func elsewhere(p *rule.Pass, kept pysyntax.Ref) bool {
	for _, f := range p.Flow.Near() {
		for r := range f.Walk(pysyntax.None) {
			if f != p.File && reads(f, r, p.File, kept) && !cuts(f, r) {
				return true
			}
		}
	}
	return false
}

// reads reports whether r may read what is kept: the same attribute of whatever object; or the same entry of a local
// container, or all of that.
func reads(f *pysyntax.File, r pysyntax.Ref, of *pysyntax.File, kept pysyntax.Ref) bool {
	if target(f, r) {
		return false
	}
	switch {
	case of.Kind(kept) == pysyntax.Attribute:
		return f.Kind(r) == pysyntax.Attribute && f.Says(f.Child(r, pysyntax.FieldAttribute), of.Text(of.Child(kept, pysyntax.FieldAttribute)))
	case f != of || !f.Within(r, f.Function(kept)):
		return false
	case f.Kind(r) == pysyntax.Subscript:
		return f.Says(r, f.Text(kept))
	}
	return f.Kind(r) == pysyntax.Identifier && f.Says(r, f.Text(f.FirstChild(kept))) && f.Kind(f.Parent(r)) != pysyntax.Subscript
}

// cuts reports whether who reads r needs no graph: it is cut there, or only asked for.
func cuts(f *pysyntax.File, r pysyntax.Ref) bool {
	parent := f.Parent(r)
	switch f.Kind(parent) {
	case pysyntax.ComparisonOperator:
		return strings.HasSuffix(f.Text(parent), " None")
	case pysyntax.Attribute:
		switch f.Text(f.Child(parent, pysyntax.FieldAttribute)) {
		case "detach", "data", "shape", "device", "item":
			return true
		}
	}
	return false
}
