package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// choice is how a reader picks entries out of a container by their value: min(x, key=…), sorted(x, key=…)[:n], x.sort(key=…).
type choice struct {
	arguments string   // as they are written: "key=lambda e: e[0], reverse=True"; empty where entries are compared themselves
	key       []string // the body of the key, cut where its parameter stands
	most      bool     // the largest are wanted
	values    bool     // of a dictionary, by its values; else by its keys
	first     bool     // one entry is wanted
	few       int      // how many are wanted, 0 where that is not known
	inPlace   bool     // it is sorted itself, and then read from its front
}

// same reports whether two readers want the same entries, more or fewer of them.
func (c choice) same(d choice) bool {
	return c.arguments == d.arguments && c.most == d.most && c.values == d.values
}

// Best is by what the entries that are read of a container are chosen, where that is the same for all who read it.
type Best struct {
	choice
	known bool
	mixed bool // somebody reads it in another way
	tops  int  // entries that are read from the front of what was sorted in place
}

// add notes one way in which entries are chosen.
func (b *Best) add(c choice) {
	switch {
	case !b.known:
		b.choice, b.known = c, true
	case !b.same(c):
		b.mixed = true
	default:
		b.first, b.inPlace = b.first && c.first, b.inPlace || c.inPlace
		b.few = max(b.few, c.few)
	}
}

// usable reports whether it is known which entries are ever read.
func (b *Best) usable() bool { return b.known && !b.mixed && (b.tops == 0 || b.inPlace) }

// choose looks at one read of the container, or of all its entries, for a choice by value.
func (w *reader) choose(r pysyntax.Ref) {
	if c, ok := w.choiceOf(r); ok {
		w.Best.add(c)
		return
	}
	if up := w.Parent(r); w.Kind(up) == pysyntax.Subscript && w.Child(up, pysyntax.FieldValue) == r {
		if n := w.fromFront(up); n > 0 {
			w.Best.tops = max(w.Best.tops, n)
			return
		}
		if w.byChosenKey(up, r) {
			return
		}
	}
	w.Best.mixed = true
}

func (w *reader) choiceOf(r pysyntax.Ref) (choice, bool) {
	c := choice{}
	node, parent := r, w.Parent(r)
	if w.Kind(parent) == pysyntax.Attribute && w.Child(parent, pysyntax.FieldObject) == r {
		call := w.Parent(parent)
		if w.Kind(call) != pysyntax.Call || w.Child(call, pysyntax.FieldFunction) != parent {
			return c, false
		}
		switch w.Text(w.Child(parent, pysyntax.FieldAttribute)) {
		case "sort":
			c.inPlace = true
			return c, w.Kind(w.Parent(call)) == pysyntax.ExpressionStatement && w.arguments(&c, call, pysyntax.None)
		case "values":
			c.values, node = true, call
		case "keys":
			node = call
		default:
			return c, false
		}
		parent = w.Parent(node)
	}
	call := w.Parent(parent)
	if w.Kind(parent) != pysyntax.ArgumentList || w.FirstChild(parent) != node || w.Kind(call) != pysyntax.Call {
		return c, false
	}
	switch w.Text(w.Child(call, pysyntax.FieldFunction)) {
	case "min":
		c.first, c.few = true, 1
	case "max":
		c.first, c.few, c.most = true, 1, true
	case "sorted":
		up := w.Parent(call)
		if w.Kind(up) != pysyntax.Subscript || w.Child(up, pysyntax.FieldValue) != call || !w.front(up, &c) {
			return c, false
		}
	default:
		return c, false
	}
	return c, w.arguments(&c, call, node)
}

// front reports whether a subscript reads from the front, and notes how many entries.
func (w *reader) front(subscript pysyntax.Ref, c *choice) bool {
	if c.few = w.fromFront(subscript); c.few > 0 {
		return true
	}
	index := w.Child(subscript, pysyntax.FieldSubscript)
	count, ok := strings.CutPrefix(strings.TrimSpace(w.Text(index)), ":")
	if !ok || w.Kind(index) != pysyntax.Slice || count == "" || strings.ContainsAny(count, "-:") {
		return false
	}
	for p := range w.Children(w.Child(w.Function(subscript), pysyntax.FieldParameters)) {
		if w.Is(p, pysyntax.DefaultParameter, pysyntax.TypedDefaultParameter) && w.Says(w.Child(p, pysyntax.FieldName), count) {
			c.few, _ = strconv.Atoi(w.Text(w.Child(p, pysyntax.FieldValue)))
		}
	}
	return true
}

// fromFront is how many entries from the front a subscript reads, 0 where it is no plain number of them.
func (w *reader) fromFront(subscript pysyntax.Ref) int {
	index := w.Child(subscript, pysyntax.FieldSubscript)
	text := strings.ReplaceAll(w.Text(index), " ", "")
	count, slice := strings.CutPrefix(text, ":")
	n, err := strconv.Atoi(count)
	switch {
	case err != nil || n < 0 || n >= 1000:
		return 0
	case slice:
		return n
	}
	return n + 1
}

// arguments reads key and reverse of a call that chooses among what is given first; false where it has others, or a key
// that means something else where the container is filled.
func (w *reader) arguments(c *choice, call, first pysyntax.Ref) bool {
	var texts []string
	for a := range w.Children(w.Child(call, pysyntax.FieldArguments)) {
		switch {
		case a == first:
			continue
		case w.Kind(a) != pysyntax.KeywordArgument:
			return false
		}
		value := w.Child(a, pysyntax.FieldValue)
		switch w.Text(w.Child(a, pysyntax.FieldName)) {
		case "key":
			if !w.plainKey(c, value) {
				return false
			}
		case "reverse":
			if w.Kind(value) != pysyntax.TrueValue {
				return false
			}
			c.most = true
		default:
			return false
		}
		texts = append(texts, w.Text(a))
	}
	c.arguments = strings.Join(texts, ", ")
	return !strings.Contains(c.arguments, "\n")
}

// plainKey reports whether a key is a lambda that uses nothing but its parameter, the container itself and builtins.
func (w *reader) plainKey(c *choice, key pysyntax.Ref) bool {
	parameters := w.Parameters(key)
	body := w.Child(key, pysyntax.FieldBody)
	if w.Kind(key) != pysyntax.Lambda || len(parameters) != 1 || body == pysyntax.None {
		return false
	}
	c.key = nil
	at := w.Node(body).Start
	for r := range w.Walk(body) {
		switch w.Kind(r) {
		case pysyntax.Lambda, pysyntax.ListComprehension, pysyntax.GeneratorExpression, pysyntax.SetComprehension, pysyntax.DictionaryComprehension, pysyntax.NamedExpression:
			return false
		case pysyntax.Identifier:
			switch name := w.Text(r); {
			case !variable(w.File, r) || folds[name] || takes[name] || w.ownPath(r):
			case name != parameters[0]:
				return false
			default:
				c.key = append(c.key, string(w.Source[at:w.Node(r).Start]))
				at = w.Node(r).End
			}
		}
	}
	c.key = append(c.key, string(w.Source[at:w.Node(body).End]))
	return true
}

// ownPath reports whether a name begins the path of the container, as the statement that fills it says it.
func (w *reader) ownPath(r pysyntax.Ref) bool {
	for w.Kind(w.Parent(r)) == pysyntax.Attribute {
		r = w.Parent(r)
		if w.Says(r, w.kept.path) {
			return true
		}
	}
	return w.Says(r, w.kept.path)
}

// byChosenKey reports whether an entry of a dictionary is read by the key that was chosen, or within the key function
// that chooses.
func (w *reader) byChosenKey(subscript, r pysyntax.Ref) bool {
	index := w.Child(subscript, pysyntax.FieldSubscript)
	if w.Kind(index) != pysyntax.Identifier {
		return w.choosesOf(index, r)
	}
	for a := range w.Ancestors(subscript) {
		if w.Kind(a) == pysyntax.Lambda && slices.Contains(w.Parameters(a), w.Text(index)) {
			return w.choosesOf(w.Parent(w.Parent(w.Parent(a))), r)
		}
	}
	found := false
	for a := range w.Walk(w.Function(subscript)) {
		if w.Is(a, pysyntax.ForStatement, pysyntax.ForInClause, pysyntax.Assignment, pysyntax.NamedExpression) && binds(w.File, w.target(a), w.Text(index)) {
			if w.Kind(a) != pysyntax.Assignment || !w.choosesOf(w.Child(a, pysyntax.FieldRight), r) {
				return false
			}
			found = true
		}
	}
	return found
}

func (w *reader) target(r pysyntax.Ref) pysyntax.Ref {
	if w.Kind(r) == pysyntax.NamedExpression {
		return w.Child(r, pysyntax.FieldName)
	}
	return w.Child(r, pysyntax.FieldLeft)
}

// choosesOf reports whether a call chooses a key of the container that is read at r.
func (w *reader) choosesOf(call, r pysyntax.Ref) bool {
	if w.Kind(call) != pysyntax.Call {
		return false
	}
	name, first := w.Text(w.Child(call, pysyntax.FieldFunction)), w.FirstChild(w.Child(call, pysyntax.FieldArguments))
	return (name == "min" || name == "max") && w.Says(first, w.Text(r))
}

// keepBest is the statement that keeps the entries that are ever read, and how many those are.
func (b *Best) keepBest(path string, dictionary bool, few int) (text, keeps string) {
	n := strconv.Itoa(cmp.Or(max(b.few, b.tops), few))
	switch {
	case dictionary:
		worst, key := "max", ""
		if b.most {
			worst = "min"
		}
		switch {
		case b.key != nil && b.values:
			key = ", key=lambda key: " + strings.Join(b.key, path+"[key]")
		case b.key != nil:
			key = ", key=lambda key: " + strings.Join(b.key, "key")
		case b.values:
			key = ", key=" + path + ".get"
		}
		return fmt.Sprintf("if len(%[1]s) > %[2]s:\n\tdel %[1]s[%[3]s(%[1]s%[4]s)]", path, n, worst, key), n
	case b.first && !b.inPlace:
		pick, arguments := "min", b.arguments
		if b.most {
			pick = "max"
		}
		if arguments != "" {
			arguments = ", " + arguments
		}
		return fmt.Sprintf("%[1]s[:] = [%[2]s(%[1]s%[3]s)]", path, pick, arguments), "1"
	}
	return fmt.Sprintf("%[1]s.sort(%[2]s)\ndel %[1]s[%[3]s:]", path, b.arguments, n), n
}
