package locate

import (
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Periodic returns the statement that the source runs every so many steps and that keeps something, where it tells of
// one: below `if step % n == 0`, or in the function called there.
func (l *Locator) Periodic(period int64) (Place, bool) {
	for _, s := range l.order {
		for _, branch := range s.all(pysyntax.IfStatement) {
			if body := s.Child(branch, pysyntax.FieldConsequence); l.everySteps(s, branch, period) {
				if in, e, ok := l.keeps(s, body, 2); ok {
					return l.place(in, e, nil), true
				}
			}
		}
	}
	return Place{}, false
}

// everySteps reports whether a condition takes a remainder of the period.
func (l *Locator) everySteps(s *source, branch pysyntax.Ref, period int64) bool {
	for r := range s.Walk(s.Child(branch, pysyntax.FieldCondition)) {
		if s.Kind(r) == pysyntax.BinaryOperator && s.Text(s.Child(r, pysyntax.FieldOperator)) == "%" && l.says(s.Child(r, pysyntax.FieldRight), s, period) {
			return true
		}
	}
	return false
}

// says reports whether an expression is a number, or a name that the sources give that number: by assignment, as a
// default, or as the default of an option.
func (l *Locator) says(r pysyntax.Ref, s *source, number int64) bool {
	text := strconv.FormatInt(number, 10)
	if s.Kind(r) == pysyntax.Integer {
		return s.Says(r, text)
	}
	name := s.lastName(r)
	if name == "" {
		return false
	}
	for _, o := range l.order {
		for _, kind := range [...]pysyntax.Kind{pysyntax.Assignment, pysyntax.DefaultParameter, pysyntax.KeywordArgument, pysyntax.Call} {
			for _, n := range o.all(kind) {
				code := strings.ReplaceAll(o.Text(n), " ", "")
				if kind == pysyntax.Call {
					option := "--" + strings.ReplaceAll(name, "_", "-")
					if o.lastName(n) == "add_argument" && strings.Contains(code, option+"\"") && strings.HasSuffix(strings.TrimSuffix(code, ")"), "default="+text) {
						return true
					}
				} else if strings.HasSuffix(code, name+"="+text) {
					return true
				}
			}
		}
	}
	return false
}

// keeps returns the first effect below r, or in a function called there, that stores what is no plain number or makes
// something that the runtime registers.
func (l *Locator) keeps(s *source, r pysyntax.Ref, depth int) (*source, effect, bool) {
	var calls []effect
	for _, e := range s.effects {
		if !s.Within(e.node, r) {
			continue
		}
		switch e.action {
		case Append, Extend, Insert, Add, SetDefault, SetItem, RegisterHook, AddGroup, Register:
			if e.value != pysyntax.None && !s.constant(e.value) {
				return s, e, true
			}
		case Call:
			if (e.method == "trace" || e.method == "script") && strings.Contains(s.Text(e.target), "jit.") {
				return s, e, true
			}
			calls = append(calls, e)
		}
	}
	for _, e := range calls {
		for _, o := range l.order {
			for _, f := range o.all(pysyntax.FunctionDefinition) {
				if depth > 0 && o.Name(f) == e.method {
					if in, found, ok := l.keeps(o, o.Body(f), depth-1); ok {
						return in, found, true
					}
				}
			}
		}
	}
	return nil, effect{}, false
}

// Freezes returns the statement that the training comes back to and that hides what there is from the collector.
func (l *Locator) Freezes() (Place, bool) {
	for s, call := range l.calls("freeze") {
		function := s.Function(call)
		if s.Text(s.Child(call, pysyntax.FieldFunction)) != "gc.freeze" || s.loop(call, function) == pysyntax.None && !l.repeated(s.Name(function)) {
			continue
		}
		return l.place(s, s.call(effect{statement: s.Statement(call), node: call}), nil), true
	}
	return Place{}, false
}
