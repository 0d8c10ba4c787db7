package locate

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// effect is one write, call or other act inside a statement.
type effect struct {
	action    Action
	statement pysyntax.Ref
	node      pysyntax.Ref // the call or assignment
	target    pysyntax.Ref // what is written to; None where it has no expression
	value     pysyntax.Ref // what is stored; None where there is none
	method    string       // name of the method or function called, operator of an augmented assignment
}

// containerCalls maps a method to its action and the place of the stored argument.
var containerCalls = map[string]struct {
	action   Action
	argument int
}{
	"append": {Append, 0}, "appendleft": {Append, 0}, "put": {Append, 0}, "put_nowait": {Append, 0}, "push": {Append, 0},
	"extend": {Extend, 0}, "extendleft": {Extend, 0},
	"insert": {Insert, 1}, "add": {Add, 0}, "update": {Update, 0}, "setdefault": {SetDefault, 1}, "__setitem__": {SetItem, 1},
	"add_param_group":    {AddGroup, 0},
	"register_parameter": {Register, 1}, "register_buffer": {Register, 1}, "register_module": {Register, 1}, "add_module": {Register, 1},
}

// allEffects lists what every statement of the file does, in order.
func (s *source) allEffects() []effect {
	var all []effect
	for r := range s.Walk(pysyntax.None) {
		all = append(all, s.effectsOf(r)...)
	}
	return all
}

// effectsOf returns what node r itself does, without its descendants.
func (s *source) effectsOf(r pysyntax.Ref) []effect {
	e := effect{statement: s.Statement(r), node: r}
	switch s.Kind(r) {
	case pysyntax.Call:
		return []effect{s.call(e)}
	case pysyntax.Assignment:
		return s.assignment(e)
	case pysyntax.AugmentedAssignment:
		e.target, e.value = s.Child(r, pysyntax.FieldLeft), s.Child(r, pysyntax.FieldRight)
		e.method = s.Text(s.Child(r, pysyntax.FieldOperator))
		e.action = AugAssign
		if e.method == "+=" && s.Is(e.value, pysyntax.List, pysyntax.ListComprehension, pysyntax.Tuple) {
			e.action = Extend
		}
	case pysyntax.NamedExpression:
		e.action, e.target, e.value = Assign, s.Child(r, pysyntax.FieldName), s.Child(r, pysyntax.FieldValue)
	case pysyntax.Yield:
		e.action, e.value = Yield, s.FirstChild(r)
	case pysyntax.ReturnStatement:
		e.action, e.value = Return, s.FirstChild(r)
	case pysyntax.ExceptClause:
		e.action, e.target = Except, s.exceptName(r)
	case pysyntax.DecoratedDefinition:
		if !s.cached(r) {
			return nil
		}
		e.action, e.target = Cache, s.Descend(r, pysyntax.FieldDefinition, pysyntax.FieldName)
	default:
		return nil
	}
	return []effect{e}
}

func (s *source) call(e effect) effect {
	callee := s.Child(e.node, pysyntax.FieldFunction)
	e.action, e.target, e.value = Call, callee, s.argument(e.node, 0)
	e.method = s.lastName(callee)
	object := s.Child(callee, pysyntax.FieldObject)
	container, isContainer := containerCalls[e.method]
	switch {
	case isContainer && object != pysyntax.None:
		e.action, e.target, e.value = container.action, object, s.argument(e.node, container.argument)
	case e.method == "heappush":
		e.action, e.target, e.value = Append, s.argument(e.node, 0), s.argument(e.node, 1)
	case e.method == "set" && s.addsTo(object, e.value):
		e.action, e.target = Update, object
	case e.method == "setattr":
		e.action, e.target, e.value = SetAttr, s.argument(e.node, 0), s.argument(e.node, 2)
	case strings.HasPrefix(e.method, "register_") && strings.HasSuffix(e.method, "hook"):
		e.action, e.target = RegisterHook, object
	case e.method == "backward" || e.method == "grad" && strings.Contains(s.Text(callee), "autograd"):
		e.action = Backward
		if object != pysyntax.None && !strings.HasSuffix(s.Text(object), "autograd") {
			e.target, e.value = object, object
		}
	case object != pysyntax.None && inPlace(e.method) && !s.goesOnInPlace(e.node):
		e.action = InPlace
		e.target, e.value = s.inPlaceChain(e.node)
	}
	return e
}

// goesOnInPlace reports whether a call changes its tensor before another one does, as x.mul_(a) does in x.mul_(a).add_(b).
func (s *source) goesOnInPlace(call pysyntax.Ref) bool {
	callee := s.Parent(call)
	outer := s.Parent(callee)
	return s.Kind(callee) == pysyntax.Attribute && s.Kind(outer) == pysyntax.Call && s.Child(outer, pysyntax.FieldFunction) == callee && inPlace(s.lastName(callee))
}

// inPlaceChain returns the tensor that a row of calls changes, and what it takes in: none where several could be it.
func (s *source) inPlaceChain(call pysyntax.Ref) (target, value pysyntax.Ref) {
	taken := 0
	for target = call; s.Kind(target) == pysyntax.Call && inPlace(s.lastName(s.Child(target, pysyntax.FieldFunction))); {
		if v := s.argument(target, 0); v != pysyntax.None && !s.Is(v, pysyntax.Integer, pysyntax.Float) {
			taken, value = taken+1, v
		}
		target = s.Descend(target, pysyntax.FieldFunction, pysyntax.FieldObject)
	}
	if taken > 1 {
		value = pysyntax.None
	}
	return target, value
}

// inPlace reports whether a method is one of those that change their tensor.
func inPlace(method string) bool {
	return strings.HasSuffix(method, "_") && !strings.HasSuffix(method, "__") && method != "requires_grad_"
}

// assignment returns one effect for each thing assigned to; values of tuples are paired where they can be.
func (s *source) assignment(e effect) []effect {
	value := s.Child(e.node, pysyntax.FieldRight)
	for s.Kind(value) == pysyntax.Assignment { // a = b = value
		value = s.Child(value, pysyntax.FieldRight)
	}
	if value == pysyntax.None {
		return nil // an annotation alone
	}
	all := s.assign(nil, e, s.Child(e.node, pysyntax.FieldLeft), value)
	if s.Kind(value) == pysyntax.Call && s.caches(value) { // f = lru_cache(None)(g)
		e.action, e.target, e.value = Cache, s.Child(e.node, pysyntax.FieldLeft), s.argument(value, 0)
		all = append(all, e)
	}
	return all
}

func (s *source) assign(all []effect, e effect, target, value pysyntax.Ref) []effect {
	switch s.Kind(target) {
	case pysyntax.PatternList, pysyntax.TuplePattern, pysyntax.ListPattern:
		values := s.pieces(value)
		targets := s.pieces(target)
		for i, t := range targets {
			v := value
			if len(values) == len(targets) {
				v = values[i]
			}
			all = s.assign(all, e, t, v)
		}
		return all
	case pysyntax.Subscript:
		e.action, e.target = SetItem, s.Child(target, pysyntax.FieldValue)
	default:
		e.action, e.target = Assign, target
	}
	e.value = value
	return append(all, e)
}

// pieces returns the elements of a tuple or pattern, nil for anything else.
func (s *source) pieces(r pysyntax.Ref) []pysyntax.Ref {
	if !s.Is(r, pysyntax.PatternList, pysyntax.TuplePattern, pysyntax.ListPattern, pysyntax.ExpressionList, pysyntax.Tuple, pysyntax.List) {
		return nil
	}
	var all []pysyntax.Ref
	for c := range s.Children(r) {
		if s.Kind(c) != pysyntax.Comment {
			all = append(all, c)
		}
	}
	return all
}

// argument returns the n-th argument of a call, None if there are fewer. A keyword argument counts with its value.
func (s *source) argument(call pysyntax.Ref, n int) pysyntax.Ref {
	arguments := s.Child(call, pysyntax.FieldArguments)
	if s.Kind(arguments) == pysyntax.GeneratorExpression && n == 0 {
		return arguments // f(x for x in y)
	}
	for c := range s.Children(arguments) {
		if s.Kind(c) == pysyntax.Comment {
			continue
		}
		if n--; n < 0 {
			if s.Kind(c) == pysyntax.KeywordArgument {
				return s.Child(c, pysyntax.FieldValue)
			}
			return c
		}
	}
	return pysyntax.None
}

// lastName returns the last name of a callee: c of a.b.c and of c.
func (s *source) lastName(r pysyntax.Ref) string {
	switch s.Kind(r) {
	case pysyntax.Identifier:
		return s.Text(r)
	case pysyntax.Attribute:
		return s.Text(s.Child(r, pysyntax.FieldAttribute))
	case pysyntax.Call:
		return s.lastName(s.Child(r, pysyntax.FieldFunction))
	}
	return ""
}

func (s *source) exceptName(clause pysyntax.Ref) pysyntax.Ref {
	for c := range s.Children(clause) {
		if s.Kind(c) == pysyntax.AsPattern {
			return s.FirstChild(s.Child(c, pysyntax.FieldAlias))
		}
	}
	return pysyntax.None
}

// decorators yields the expressions behind the @ of a decorated definition.
func (s *source) decorators(decorated pysyntax.Ref) []pysyntax.Ref {
	var all []pysyntax.Ref
	if s.Kind(decorated) != pysyntax.DecoratedDefinition {
		return nil
	}
	for c := range s.Children(decorated) {
		if s.Kind(c) == pysyntax.Decorator {
			all = append(all, s.FirstChild(c))
		}
	}
	return all
}

func (s *source) cached(decorated pysyntax.Ref) bool {
	for _, d := range s.decorators(decorated) {
		if s.caches(d) {
			return true
		}
	}
	return false
}

// caches reports whether an expression is a function that makes caches, or a call of one.
func (s *source) caches(r pysyntax.Ref) bool {
	name := strings.ToLower(s.lastName(r))
	return strings.Contains(name, "cache") || strings.Contains(name, "memo")
}
