// Package patch edits Python source by byte ranges: formatting, comments, indentation and line ends stay as they
// are, the result still parses, and fixing twice changes nothing.
package patch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// AddDecorator puts a line such as "@torch.no_grad()" right above the function that p stands in.
func AddDecorator(p locate.Place, decorator string) (Patch, error) {
	if err := readable(p); err != nil {
		return Patch{}, err
	}
	edits, err := Decorate(p.File, p.Scope, decorator)
	if err != nil {
		return Patch{}, err
	}
	return Apply(p.File, edits)
}

// Decorate returns the edits that put a line such as "@torch.no_grad()" right above a function definition.
func Decorate(f *pysyntax.File, function pysyntax.Ref, decorator string) ([]Edit, error) {
	if f.Kind(function) != pysyntax.FunctionDefinition {
		return nil, errors.New("the statement stands in no function that could be decorated")
	}
	decorator, edits := torch(f, decorator)
	if decorated := f.Parent(function); f.Kind(decorated) == pysyntax.DecoratedDefinition {
		for c := range f.Children(decorated) {
			if f.Kind(c) == pysyntax.Decorator && f.Text(c) == decorator {
				return nil, ErrUnchanged
			}
		}
	}
	indent, ok := indentation(f, function)
	if !ok {
		return nil, errors.New("the function begins in the middle of a line")
	}
	start, _ := f.LineSpan(f.Line(f.Node(function).Start))
	return append(edits, Edit{start, start, indent + decorator + "\n"}), nil
}

// RemoveKeyword takes the keyword argument, such as "retain_graph", out of the call of p.
func RemoveKeyword(p locate.Place, keyword string) (Patch, error) {
	if err := readable(p); err != nil {
		return Patch{}, err
	}
	f := p.File
	for r := range f.Walk(p.Effect) {
		if f.Kind(r) != pysyntax.KeywordArgument || f.Text(f.Child(r, pysyntax.FieldName)) != keyword {
			continue
		}
		start, end := argumentSpan(f, r)
		if strings.Contains(string(f.Source[start:end]), "#") {
			return Patch{}, errors.New("a comment stands beside the argument")
		}
		return Apply(f, []Edit{{start, end, ""}})
	}
	return Patch{}, ErrUnchanged
}

// argumentSpan returns the bytes of an argument with the comma that goes with it.
func argumentSpan(f *pysyntax.File, r pysyntax.Ref) (start, end uint32) {
	n := f.Node(r)
	before := pysyntax.None
	for c := range f.Children(n.Parent) {
		if c == r {
			break
		}
		before = c
	}
	if before != pysyntax.None {
		return f.Node(before).End, n.End
	}
	if next := f.NextSibling(r); next != pysyntax.None {
		return n.Start, f.Node(next).Start
	}
	closing := f.Node(n.Parent).End - 1
	if strings.TrimSpace(string(f.Source[n.End:closing])) == "," {
		return n.Start, closing
	}
	return n.Start, n.End
}

// WrapStatementsIn puts the statement of p under header, such as "with torch.no_grad():", together with the
// statements right behind it that use what it makes.
func WrapStatementsIn(p locate.Place, header string) (Patch, error) {
	if err := readable(p); err != nil {
		return Patch{}, err
	}
	f := p.File
	header, edits := torch(f, header)
	if wrapped(f, p, header) {
		return Patch{}, ErrUnchanged
	}
	if definitionOrClause(f, p.Statement) {
		return Patch{}, errClause
	}
	last := lastUser(f, p.Statement)
	for r := p.Statement; ; r = follower(f, r) {
		if !alone(f, r) {
			return Patch{}, errors.New("the statement shares its line with other code")
		}
		if yields(f, r) {
			return Patch{}, errors.New("the statement yields, so the code that it hands over to would run inside the block too")
		}
		if r == last {
			break
		}
	}
	indent, _ := indentation(f, p.Statement)
	from, _ := f.Lines(p.Statement)
	_, to := f.Lines(last)
	kept := stringLines(f, p.Statement, last)
	step := unit(f, p.Statement)
	start, _ := f.LineSpan(from)
	edits = append(edits, Edit{start, start, indent + header + "\n" + step})
	for line := from + 1; line <= to; line++ {
		if start, _ := f.LineSpan(line); !kept[line] && f.LineText(line) != "" {
			edits = append(edits, Edit{start, start, step})
		}
	}
	return Apply(f, edits)
}

// errClause is for places that are no statement which could stand elsewhere.
var errClause = errors.New("the line begins a definition or a part of a larger statement")

func definitionOrClause(f *pysyntax.File, r pysyntax.Ref) bool {
	return f.Is(r, pysyntax.FunctionDefinition, pysyntax.ClassDefinition, pysyntax.DecoratedDefinition, pysyntax.ElifClause,
		pysyntax.ExceptClause, pysyntax.CaseClause)
}

// wrapped reports whether p stands under header already, or under another switch that does the same.
func wrapped(f *pysyntax.File, p locate.Place, header string) bool {
	if p.GradOff && (strings.Contains(header, "no_grad") || strings.Contains(header, "inference_mode")) {
		return true
	}
	for a := range f.Ancestors(p.Statement) {
		if f.Kind(a) == pysyntax.WithStatement && strings.HasPrefix(f.Text(a), header) {
			return true
		}
	}
	return false
}

// lastUser returns the last of the statements that follow without a gap and use names that statement or they make.
func lastUser(f *pysyntax.File, statement pysyntax.Ref) pysyntax.Ref {
	made := map[string]bool{}
	assigned(f, statement, made)
	last := statement
	for r := follower(f, statement); r != pysyntax.None; r = follower(f, r) {
		if f.Is(r, pysyntax.FunctionDefinition, pysyntax.ClassDefinition, pysyntax.DecoratedDefinition) || yields(f, r) || !uses(f, r, made) || !alone(f, r) {
			break
		}
		assigned(f, r, made)
		last = r
	}
	return last
}

// follower returns the next statement of the same block.
func follower(f *pysyntax.File, r pysyntax.Ref) pysyntax.Ref {
	for r = f.NextSibling(r); f.Kind(r) == pysyntax.Comment; r = f.NextSibling(r) {
	}
	return r
}

// assigned adds the plain names that a statement assigns to.
func assigned(f *pysyntax.File, statement pysyntax.Ref, names map[string]bool) {
	for r := range f.Walk(statement) {
		if f.Kind(r) != pysyntax.Assignment {
			continue
		}
		left := f.Child(r, pysyntax.FieldLeft)
		for c := range f.Walk(left) {
			if f.Kind(c) == pysyntax.Identifier && !f.Is(f.Parent(c), pysyntax.Attribute, pysyntax.Subscript) {
				names[f.Text(c)] = true
			}
		}
	}
}

func uses(f *pysyntax.File, statement pysyntax.Ref, names map[string]bool) bool {
	for r := range f.Walk(statement) {
		if f.Kind(r) == pysyntax.Identifier && f.Node(r).Field != pysyntax.FieldAttribute && names[f.Text(r)] {
			return true
		}
	}
	return false
}

func yields(f *pysyntax.File, statement pysyntax.Ref) bool {
	for r := range f.Walk(statement) {
		if f.Kind(r) == pysyntax.Yield && f.Function(r) == f.Function(statement) {
			return true
		}
	}
	return false
}

// stringLines returns the lines that begin inside a string: indenting them would change its value.
func stringLines(f *pysyntax.File, first, last pysyntax.Ref) map[int]bool {
	kept := map[int]bool{}
	for r := first; r < f.Node(last).After; r++ {
		if f.Kind(r) == pysyntax.String {
			from, to := f.Lines(r)
			for line := from + 1; line <= to; line++ {
				kept[line] = true
			}
		}
	}
	return kept
}

// errNoValue says what WrapValue cannot do.
func errNoValue(p locate.Place) error {
	return fmt.Errorf("the value of %s is not one expression that can be wrapped", p.Action)
}
