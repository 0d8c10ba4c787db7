package locate

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// gradOff reports whether r stands where the source itself switches gradients off. The innermost switch counts; one
// outside of the function would depend on the caller, so the search ends at the function's decorators.
func (s *source) gradOff(r pysyntax.Ref) bool {
	child := r
	for a := range s.Ancestors(r) {
		switch s.Kind(a) {
		case pysyntax.WithStatement:
			if s.Node(child).Field != pysyntax.FieldBody {
				break
			}
			if off, known := s.withSwitch(a); known {
				return off
			}
		case pysyntax.Block, pysyntax.Module:
			if off, known := s.switchedBefore(a, child); known {
				return off
			}
		case pysyntax.FunctionDefinition:
			if s.Node(child).Field != pysyntax.FieldBody {
				break
			}
			for _, d := range s.decorators(s.Parent(a)) {
				if off, known := s.gradSwitch(d); known {
					return off
				}
			}
			return false
		case pysyntax.Lambda, pysyntax.ClassDefinition:
			return false
		}
		child = a
	}
	return false
}

func (s *source) withSwitch(with pysyntax.Ref) (off, known bool) {
	for r := range s.Walk(with) {
		if s.Kind(r) == pysyntax.Block {
			break
		}
		if s.Kind(r) != pysyntax.WithItem {
			continue
		}
		value := s.Child(r, pysyntax.FieldValue)
		if s.Kind(value) == pysyntax.AsPattern {
			value = s.FirstChild(value)
		}
		if o, k := s.gradSwitch(value); k {
			off, known = o, k
		}
	}
	return off, known
}

// switchedBefore looks for set_grad_enabled called as a statement of block before its child.
func (s *source) switchedBefore(block, child pysyntax.Ref) (off, known bool) {
	for c := range s.Children(block) {
		if c >= child {
			break
		}
		if call := s.FirstChild(c); s.Kind(c) == pysyntax.ExpressionStatement && s.Kind(call) == pysyntax.Call && s.lastName(call) == "set_grad_enabled" {
			if o, k := s.gradSwitch(call); k {
				off, known = o, k
			}
		}
	}
	return off, known
}

// gradSwitch reads torch.no_grad() and its like, called or named as a decorator.
func (s *source) gradSwitch(r pysyntax.Ref) (off, known bool) {
	argument := ""
	if s.Kind(r) == pysyntax.Call {
		if a := s.argument(r, 0); a != pysyntax.None {
			argument = s.Text(a)
		}
	}
	switch s.lastName(r) {
	case "no_grad":
		return true, true
	case "inference_mode":
		return argument != "False", true
	case "enable_grad":
		return false, true
	case "set_grad_enabled":
		return argument == "False", argument == "False" || argument == "True"
	}
	return false, false
}

// constant reports whether an expression holds no tensor that a step could have made: literals, numbers taken out
// of tensors, fresh zeros.
func (s *source) constant(r pysyntax.Ref) bool {
	switch s.Kind(r) {
	case pysyntax.Integer, pysyntax.Float, pysyntax.String, pysyntax.NoneValue, pysyntax.TrueValue, pysyntax.FalseValue:
		return true
	case pysyntax.List, pysyntax.Dictionary, pysyntax.Tuple, pysyntax.Set:
		for c := range s.Children(r) {
			if s.Kind(c) == pysyntax.Pair {
				c = s.Child(c, pysyntax.FieldValue)
			}
			if !s.constant(c) {
				return false
			}
		}
		return true
	case pysyntax.UnaryOperator:
		return s.constant(s.Child(r, pysyntax.FieldArgument))
	case pysyntax.Call:
		switch name := s.lastName(r); name {
		case "list", "dict", "set", "tuple", "deque", "defaultdict", "OrderedDict", "Counter", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "Sequential":
			return s.FirstChild(s.Child(r, pysyntax.FieldArguments)) == pysyntax.None || strings.HasPrefix(name, "de")
		case "item", "float", "int", "bool", "len", "str", "zeros", "ones", "empty", "full", "zeros_like", "ones_like", "detach_", "tensor":
			return true
		}
	}
	return false
}
