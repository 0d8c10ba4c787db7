package pyflow

import "github.com/torchleak/torchleak/internal/pysyntax"

// refine narrows what a name or attribute can be where cond is known to be true or false: None is no tensor.
func (it *interp) refine(cond pysyntax.Ref, truth bool) {
	f := it.frame.unit.file
	if cond == pysyntax.None {
		return
	}
	switch f.Kind(cond) {
	case pysyntax.ParenthesizedExpression:
		it.refine(f.FirstChild(cond), truth)
	case pysyntax.NotOperator:
		it.refine(f.FirstChild(cond), !truth)
	case pysyntax.BooleanOperator:
		and := f.Says(f.Child(cond, pysyntax.FieldOperator), "and")
		if and == truth {
			it.refine(f.Child(cond, pysyntax.FieldLeft), truth)
			it.refine(f.Child(cond, pysyntax.FieldRight), truth)
		}
	case pysyntax.ComparisonOperator:
		left := f.FirstChild(cond)
		var op, right pysyntax.Ref
		for c := range f.Children(cond) {
			if f.Kind(c) == pysyntax.Token {
				op = c
			} else if c != left {
				right = c
			}
		}
		if right == pysyntax.None || f.Kind(right) != pysyntax.NoneValue || op == pysyntax.None {
			return
		}
		is := f.Says(op, "is") || f.Says(op, "==")
		if is == truth {
			it.narrow(left)
		}
	case pysyntax.Identifier, pysyntax.Attribute:
		if !truth {
			it.narrow(cond)
		}
	case pysyntax.Call:
		if !truth {
			it.isinstance(cond)
		}
	}
}

// isinstance narrows the first argument of isinstance(x, torch.Tensor) or torch.is_tensor(x) where it is false.
func (it *interp) isinstance(call pysyntax.Ref) {
	f := it.frame.unit.file
	callee := f.Child(call, pysyntax.FieldFunction)
	args := f.Child(call, pysyntax.FieldArguments)
	first := f.FirstChild(args)
	if first == pysyntax.None {
		return
	}
	switch it.frame.unit.qualify(f.Text(callee)) {
	case "isinstance":
		second := f.NextSibling(first)
		if second == pysyntax.None {
			return
		}
		switch it.frame.unit.qualify(f.Text(second)) {
		case "torch.Tensor":
			it.narrow(first)
		case "torch.nn.Module":
			if v := it.frame.vars.get(f.Text(first)); v != nil && v.module() {
				it.frame.vars.set(f.Text(first), number) // this way is never gone
			}
		}
	case "torch.is_tensor", "hasattr":
		it.narrow(first)
	}
}

// module reports whether v, or what it is a copy of, is surely a module.
func (v *value) module() bool {
	return v.traits&Net != 0 || v.source().traits&Net != 0
}

// narrow makes r, a name or an attribute of self, no tensor on this way.
func (it *interp) narrow(r pysyntax.Ref) {
	f := it.frame.unit.file
	if f.Kind(r) != pysyntax.Identifier {
		return
	}
	name := f.Text(r)
	if v := it.frame.vars.get(name); v != nil && len(v.objects()) == 0 {
		it.frame.vars.set(name, number)
	}
}
