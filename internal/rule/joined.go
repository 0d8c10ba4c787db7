package rule

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// joins are the functions that make one tensor of several: along the first dimension where none is named.
var joins = map[string]bool{"cat": true, "concat": true, "concatenate": true, "vstack": true, "row_stack": true}

// joinedAlong is the dimension along which an expression joins tensors; false where none is written out.
func joinedAlong(f *pysyntax.File, value pysyntax.Ref) (dim int, ok bool) {
	if value == pysyntax.None {
		return 0, false
	}
	for r := range f.Walk(value) {
		if f.Kind(r) == pysyntax.Call && joins[called(f, r)] {
			return dimension(f, f.Child(r, pysyntax.FieldArguments))
		}
	}
	return joinedBy(f, value)
}

// joinedBy is the dimension along which a function of the file joins what a call hands it, its first argument first:
// `x = join(x, new)`.
func joinedBy(f *pysyntax.File, call pysyntax.Ref) (dim int, ok bool) {
	for d := range f.Children(pysyntax.None) {
		if f.Kind(d) != pysyntax.FunctionDefinition || !f.Says(f.Child(call, pysyntax.FieldFunction), f.Name(d)) {
			continue
		}
		parameters := f.Parameters(d)
		for r := range f.Walk(f.Body(d)) {
			if f.Kind(r) != pysyntax.Call || !joins[called(f, r)] || f.Kind(f.Parent(r)) != pysyntax.ReturnStatement {
				continue
			}
			arguments := f.Child(r, pysyntax.FieldArguments)
			if first := f.FirstChild(f.FirstChild(arguments)); first != pysyntax.None && len(parameters) > 0 && f.Says(first, parameters[0]) {
				return dimension(f, arguments)
			}
		}
	}
	return 0, false
}

// dimension is the argument dim among those of a join, 0 where it is left out.
func dimension(f *pysyntax.File, arguments pysyntax.Ref) (dim int, ok bool) {
	given := "0"
	for a := range f.Children(arguments) {
		switch {
		case f.Kind(a) != pysyntax.KeywordArgument:
			if a != f.FirstChild(arguments) {
				given = f.Text(a)
			}
		case f.Says(f.Child(a, pysyntax.FieldName), "dim"), f.Says(f.Child(a, pysyntax.FieldName), "axis"):
			given = f.Text(f.Child(a, pysyntax.FieldValue))
		}
	}
	dim, err := strconv.Atoi(strings.ReplaceAll(given, " ", ""))
	return dim, err == nil
}

// along is the index that takes a range along a dimension: ":, -8:" of the dimension 1, "..., -8:" of the last.
func along(dim int, span string) string {
	if dim >= 0 {
		return strings.Repeat(":, ", dim) + span
	}
	return "..., " + span + strings.Repeat(", :", -dim-1)
}

// Longer says of a slot's one tensor, to which each step joins more, by how much it gets longer and in which dimension.
func (c *Case) Longer() string {
	dim, ok := c.dimension()
	g := c.Group
	if !ok || g == nil {
		return "It is one tensor: each step joins more to it, and nothing cuts it."
	}
	at := dim
	if at < 0 {
		at += len(g.Shape)
	}
	if at < 0 || at >= len(g.Shape) || g.Shape[at] <= 0 || g.StorageBytes <= 0 || c.TensorBytes <= 0 {
		return fmt.Sprintf("It is one tensor: each step joins more to it in dimension %d, and nothing cuts it.", dim)
	}
	more := float64(c.TensorBytes) * float64(g.Shape[at]) / float64(g.StorageBytes)
	return fmt.Sprintf("It is one tensor, of shape %s by now: it gets longer by %.3g per step in dimension %d, and nothing cuts it.", shape(g.Shape), more, dim)
}

// Cut is how the slot's tensor is kept at the length that is read of it.
func (c *Case) Cut() string {
	target := strings.TrimSpace(c.Place.Target)
	if dim, ok := c.dimension(); ok && target != "" && !strings.Contains(target, "\n") {
		const summary = "Cut it behind the statement that makes it longer, to the K newest that are read: `%s = %s[%s]`."
		return fmt.Sprintf(summary, target, target, along(dim, "-K:"))
	}
	const summary = "Start it anew each epoch, cut it behind the statement that makes it longer, or write into a tensor of fixed size."
	return summary
}

func (c *Case) dimension() (dim int, ok bool) {
	if !c.Place.Readable() {
		return 0, false
	}
	return joinedAlong(c.Place.File, c.Place.Stored)
}
