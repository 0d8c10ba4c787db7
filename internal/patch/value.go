package patch

import (
	"regexp"
	"strings"

	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// WrapValue appends suffix, such as ".detach()", ".item()" or ".detach().cpu()", to what p stores: to each element
// of a tuple, list or dict that is written out, and in a running sum to what is added, not to the sum.
func WrapValue(p locate.Place, suffix string) (Patch, error) { return wrapValue(p, suffix, false) }

// WrapGuarded is WrapValue where the statement may be given what is no tensor as well: a name that the function got
// as an argument or from a loop is asked first.
func WrapGuarded(p locate.Place, suffix string) (Patch, error) { return wrapValue(p, suffix, true) }

func wrapValue(p locate.Place, suffix string, guard bool) (Patch, error) {
	if err := readable(p); err != nil {
		return Patch{}, err
	}
	if p.Stored == pysyntax.None || p.Action == locate.Backward || p.File.Kind(p.File.Parent(p.Stored)) == pysyntax.ExpressionStatement {
		return Patch{}, errNoValue(p)
	}
	w := wrapper{File: p.File, target: p.Target, suffix: suffix, methods: methodNames(suffix)}
	if guard {
		w.given = given(p)
	}
	switch {
	case p.Action == locate.Update && !w.writtenOut(p.Stored):
		return Patch{}, errNoValue(p)
	case p.Action == locate.Extend && !w.writtenOut(p.Stored):
		if !w.generator(p.Stored) {
			return Patch{}, errNoValue(p)
		}
	default:
		w.wrap(p.Stored)
	}
	if len(w.edits) == 0 && !w.had {
		return Patch{}, errNoValue(p)
	}
	return Apply(p.File, w.edits)
}

// wrapper collects the edits of one WrapValue.
type wrapper struct {
	*pysyntax.File
	target  string
	suffix  string
	methods []string
	edits   []Edit
	had     bool           // some part has the suffix already
	given   map[string]int // names that may be no tensors, by their order; empty: all are
}

var method = regexp.MustCompile(`\.(\w+)`)

func methodNames(suffix string) []string {
	var names []string
	for _, m := range method.FindAllStringSubmatch(suffix, -1) {
		names = append(names, m[1])
	}
	return names
}

// writtenOut reports whether r shows its elements.
func (w *wrapper) writtenOut(r pysyntax.Ref) bool {
	return w.Is(r, pysyntax.List, pysyntax.Tuple, pysyntax.Set, pysyntax.Dictionary, pysyntax.ExpressionList,
		pysyntax.ListComprehension, pysyntax.SetComprehension, pysyntax.GeneratorExpression, pysyntax.DictionaryComprehension)
}

// wrap adds the edits for r.
func (w *wrapper) wrap(r pysyntax.Ref) {
	switch w.Kind(r) {
	case pysyntax.List, pysyntax.Tuple, pysyntax.Set, pysyntax.ExpressionList, pysyntax.Dictionary:
		for c := range w.Children(r) {
			w.wrap(c)
		}
	case pysyntax.ListComprehension, pysyntax.SetComprehension, pysyntax.GeneratorExpression, pysyntax.DictionaryComprehension:
		w.wrap(w.Child(r, pysyntax.FieldBody))
	case pysyntax.Pair:
		w.wrap(w.Child(r, pysyntax.FieldValue))
	case pysyntax.ParenthesizedExpression:
		if w.mentionsTarget(r) {
			w.wrap(w.FirstChild(r))
			return
		}
		w.add(r)
	case pysyntax.BinaryOperator:
		w.operands(r)
	case pysyntax.Integer, pysyntax.Float, pysyntax.String, pysyntax.ConcatenatedString, pysyntax.NoneValue, pysyntax.TrueValue, pysyntax.FalseValue,
		pysyntax.Comment, pysyntax.Lambda, pysyntax.ListSplat, pysyntax.DictionarySplat, pysyntax.Ellipsis:
	case pysyntax.Call:
		if name := w.Text(w.Child(r, pysyntax.FieldFunction)); name == "float" || name == "int" || name == "str" || name == "len" {
			w.had = true
			return
		}
		w.add(r)
	default:
		if w.Text(r) != w.target {
			w.add(r)
		}
	}
}

// operands wraps in a sum what is added, in a product the factor that is no number.
func (w *wrapper) operands(r pysyntax.Ref) {
	left, right := w.Child(r, pysyntax.FieldLeft), w.Child(r, pysyntax.FieldRight)
	operator := w.Text(w.Child(r, pysyntax.FieldOperator))
	if w.mentionsTarget(r) && operator != "+" && operator != "-" {
		return // the share of the old value
	}
	if w.mentionsTarget(r) || w.number(left) || w.number(right) {
		w.wrap(left)
		w.wrap(right)
		return
	}
	if w.asked(r) {
		w.had = true
		return
	}
	if first := w.firstGiven(r); first != pysyntax.None {
		w.add(first)
		return
	}
	w.add(r)
}

func (w *wrapper) number(r pysyntax.Ref) bool { return w.Is(r, pysyntax.Integer, pysyntax.Float) }

func (w *wrapper) mentionsTarget(r pysyntax.Ref) bool {
	for c := range w.Walk(r) {
		if w.Is(c, pysyntax.Identifier, pysyntax.Attribute, pysyntax.Subscript) && w.Text(c) == w.target {
			return true
		}
	}
	return false
}

// add puts the suffix behind r, in brackets where it binds less tightly than a dot.
func (w *wrapper) add(r pysyntax.Ref) {
	if w.has(r) || w.asked(r) {
		w.had = true
		return
	}
	n := w.Node(r)
	if _, unsure := w.given[w.Text(r)]; unsure && w.Kind(r) == pysyntax.Identifier {
		w.ask(r)
		return
	}
	switch w.Kind(r) {
	case pysyntax.Identifier, pysyntax.Attribute, pysyntax.Subscript, pysyntax.Call, pysyntax.ParenthesizedExpression:
		w.edits = append(w.edits, Edit{n.End, n.End, w.suffix})
	default:
		w.edits = append(w.edits, Edit{n.Start, n.Start, "("}, Edit{n.End, n.End, ")" + w.suffix})
	}
}

// has reports whether the methods of the suffix are called on r already.
func (w *wrapper) has(r pysyntax.Ref) bool {
	called := map[string]bool{}
	for w.Kind(r) == pysyntax.Call {
		callee := w.Child(r, pysyntax.FieldFunction)
		if w.Kind(callee) != pysyntax.Attribute {
			break
		}
		called[w.Text(w.Child(callee, pysyntax.FieldAttribute))] = true
		r = w.Child(callee, pysyntax.FieldObject)
	}
	if called["item"] || called["tolist"] || called["numpy"] {
		return true // a number by now
	}
	for _, m := range w.methods {
		if !called[m] {
			return false
		}
	}
	return true
}

// generator turns extend(xs) into extend(v.detach() for v in xs), and xs += ys likewise.
func (w *wrapper) generator(r pysyntax.Ref) bool {
	n := w.Node(r)
	open, end := "", ""
	switch {
	case w.Kind(w.Parent(r)) == pysyntax.AugmentedAssignment:
		open, end = "[", "]"
	case w.Kind(w.Parent(r)) != pysyntax.ArgumentList:
		return false
	case w.NextSibling(r) != pysyntax.None || w.FirstChild(w.Parent(r)) != r:
		open, end = "(", ")"
	}
	w.edits = append(w.edits,
		Edit{n.Start, n.Start, open + "v" + w.suffix + " for v in "},
		Edit{n.End, n.End, end})
	return !strings.Contains(w.Text(r), "\n")
}
