package locate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// numberDepth bounds how many names a number is followed through.
const numberDepth = 6

// most is the largest number that the sources give an expression, 0 where they give none.
func (l *Locator) most(s *source, r pysyntax.Ref) int64 {
	return max(0, slices.Max(append(l.numbers(s, r, numberDepth), 0)))
}

// numbers returns the numbers that the sources give an expression: by what is assigned to its name, as defaults, by the
// arguments of calls, and as the default of an option.
func (l *Locator) numbers(s *source, r pysyntax.Ref, depth int) []int64 {
	if r == pysyntax.None || depth == 0 {
		return nil
	}
	switch s.Kind(r) {
	case pysyntax.Integer, pysyntax.Float:
		if n, err := strconv.ParseFloat(strings.ReplaceAll(s.Text(r), "_", ""), 64); err == nil && n < 1<<53 {
			return []int64{int64(n)}
		}
	case pysyntax.ParenthesizedExpression:
		return l.numbers(s, s.FirstChild(r), depth)
	case pysyntax.Call: // int(1e6)
		if name := s.lastName(r); name == "int" || name == "float" {
			return l.numbers(s, s.argument(r, 0), depth)
		}
	case pysyntax.BinaryOperator:
		return l.products(s, r, depth)
	case pysyntax.Identifier:
		return l.valuesOf(s, s.scopes.Resolve(s.Text(r), r), s.Text(r), depth-1)
	case pysyntax.Attribute:
		name := s.Text(s.Child(r, pysyntax.FieldAttribute))
		v := variable{name: name, attribute: true, class: s.selfClass(s.Child(r, pysyntax.FieldObject))}
		return append(l.assigned(v, depth-1), l.settings(name, depth-1)...)
	}
	return nil
}

// products returns the products of what two factors may be.
func (l *Locator) products(s *source, r pysyntax.Ref, depth int) []int64 {
	if s.Text(s.Child(r, pysyntax.FieldOperator)) != "*" {
		return nil
	}
	var all []int64
	for _, a := range l.numbers(s, s.Child(r, pysyntax.FieldLeft), depth) {
		for _, b := range l.numbers(s, s.Child(r, pysyntax.FieldRight), depth) {
			all = append(all, a*b)
		}
	}
	return all
}

// valuesOf returns the numbers that a name has which scope binds: a parameter, a local name, or one of the module's.
func (l *Locator) valuesOf(s *source, scope pysyntax.Ref, name string, depth int) []int64 {
	all := l.assigned(variable{name: name, source: s, scope: scope}, depth)
	if scope == pysyntax.None {
		module := s.importedFrom(name)
		for _, o := range l.order {
			if o != s && module != "" && moduleName(o.Path) == module {
				all = append(all, l.assigned(variable{name: name, source: o}, depth)...)
			}
		}
		return all
	}
	if position := slices.Index(s.Parameters(scope), name); position >= 0 {
		all = append(all, l.given(s, scope, position, name, depth)...)
	}
	return all
}

// assigned returns the numbers assigned to a variable.
func (l *Locator) assigned(v variable, depth int) []int64 {
	var all []int64
	for _, s := range l.order {
		for _, e := range s.effects {
			if e.action == Assign && s.Is(e.target, pysyntax.Identifier, pysyntax.Attribute) && l.match(s, e.target, v) != noMatch {
				all = append(all, l.numbers(s, e.value, depth)...)
			}
		}
	}
	return all
}

// given returns the numbers that a parameter is given: its default, and the arguments of calls in sight.
func (l *Locator) given(s *source, function pysyntax.Ref, position int, name string, depth int) []int64 {
	var all []int64
	for p := range s.Children(s.Child(function, pysyntax.FieldParameters)) {
		if s.Is(p, pysyntax.DefaultParameter, pysyntax.TypedDefaultParameter) && s.Says(s.Child(p, pysyntax.FieldName), name) {
			all = append(all, l.numbers(s, s.Child(p, pysyntax.FieldValue), depth)...)
		}
	}
	callee, class := s.Name(function), s.Class(function)
	if class != pysyntax.None && !s.static(function) {
		position-- // self
	}
	if callee == "__init__" && class != pysyntax.None {
		callee = s.Name(class)
	}
	for o, call := range l.calls(callee) {
		if a := o.argumentFor(call, position, name); a != pysyntax.None {
			all = append(all, l.numbers(o, a, depth)...)
		}
	}
	return all
}

// argumentFor returns the argument of a call for the parameter of that position and name.
func (s *source) argumentFor(call pysyntax.Ref, position int, name string) pysyntax.Ref {
	at := 0
	for a := range s.Children(s.Child(call, pysyntax.FieldArguments)) {
		switch s.Kind(a) {
		case pysyntax.Comment:
		case pysyntax.KeywordArgument:
			if s.Says(s.Child(a, pysyntax.FieldName), name) {
				return s.Child(a, pysyntax.FieldValue)
			}
		default:
			if at == position {
				return a
			}
			at++
		}
	}
	return pysyntax.None
}

// settings returns the numbers that an attribute of a configuration has: options of the command line, fields of a class,
// keywords of a call.
func (l *Locator) settings(name string, depth int) []int64 {
	var all []int64
	for _, s := range l.order {
		for _, r := range s.all(pysyntax.KeywordArgument) {
			if s.Says(s.Child(r, pysyntax.FieldName), name) {
				all = append(all, l.numbers(s, s.Child(r, pysyntax.FieldValue), depth)...)
			}
		}
		for _, e := range s.effects {
			if e.action == Assign && s.Says(e.target, name) && s.Is(s.Enclosing(e.statement, pysyntax.ClassDefinition, pysyntax.FunctionDefinition), pysyntax.ClassDefinition) {
				all = append(all, l.numbers(s, e.value, depth)...)
			}
		}
	}
	for s, call := range l.calls("add_argument") {
		if s.option(call) == name {
			all = append(all, l.numbers(s, s.argumentFor(call, -1, "default"), depth)...)
		}
	}
	return all
}

// option is the name under which a call of add_argument gives its long option.
func (s *source) option(call pysyntax.Ref) string {
	for a := range s.Children(s.Child(call, pysyntax.FieldArguments)) {
		if long, ok := strings.CutPrefix(strings.Trim(s.Text(a), `"'`), "--"); ok && s.Kind(a) == pysyntax.String {
			return strings.ReplaceAll(long, "-", "_")
		}
	}
	return ""
}
