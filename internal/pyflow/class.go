package pyflow

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// base returns the class of the source that c's i-th base is, nil for those from elsewhere.
func (it *interp) base(c *class, q string) *class {
	if b := c.unit.classes[q]; b != nil && b != c {
		return b
	}
	if external(q) {
		return nil
	}
	if module, name, ok := cutLast(q); ok {
		if u := it.index.find(c.unit, module); u != nil {
			return u.classes[name]
		}
	}
	return nil
}

// method finds a method in c and its bases.
func (it *interp) method(c *class, name string, depth int) *fn {
	if m := c.methods[name]; m != nil {
		return m
	}
	if depth < 6 {
		for _, q := range c.bases {
			if b := it.base(c, q); b != nil {
				if m := it.method(b, name, depth+1); m != nil {
					return m
				}
			}
		}
	}
	return nil
}

// classAttr finds where an attribute of the class is assigned in its body.
func (it *interp) classAttr(c *class, name string, depth int) (*unit, pysyntax.Ref) {
	if r, ok := c.attrs[name]; ok {
		return c.unit, r
	}
	if depth < 6 {
		for _, q := range c.bases {
			if b := it.base(c, q); b != nil {
				if u, r := it.classAttr(b, name, depth+1); u != nil {
					return u, r
				}
			}
		}
	}
	return nil, 0
}

// classValue is an attribute of a class, made when the class is.
func (it *interp) classValue(u *unit, c *class, name string, at pysyntax.Ref) *value {
	g := it.global(u)
	key := memoKey{at, keyName}
	if v := g.memo[key]; v != nil {
		return v
	}
	var v *value
	loops := it.loops
	it.loops = nil
	it.in(g, func() {
		g.memo[key] = nothing
		v = it.defaulted(u.file.Child(at, pysyntax.FieldRight))
		if len(v.objects()) == 0 && v.op == opFixed && v != number {
			v = it.make(at, opFixed)
		}
		if v != number && v != nothing {
			v.path, v.scope = c.name+"."+name, ClassLevel
		}
		g.memo[key] = v
	})
	it.loops = loops
	return v
}

// defaulted is the default of a class's attribute; field(default_factory=list) of a dataclass is a list.
func (it *interp) defaulted(r pysyntax.Ref) *value {
	f := it.frame.unit.file
	if f.Kind(r) == pysyntax.Call && strings.HasSuffix(f.Text(f.Child(r, pysyntax.FieldFunction)), "field") {
		for a := range f.Children(f.Child(r, pysyntax.FieldArguments)) {
			if f.Kind(a) == pysyntax.KeywordArgument && f.Says(f.Child(a, pysyntax.FieldName), "default_factory") {
				switch typ := f.Text(f.Child(a, pysyntax.FieldValue)); typ {
				case "list", "dict", "set":
					return it.containerAt(r, typ)
				}
			}
		}
	}
	return it.expression(r)
}

// derives reports whether c or a base of it is one of those that is says.
func (it *interp) derives(c *class, depth int, is func(string) bool) bool {
	for _, q := range c.bases {
		if is(q) {
			return true // before the files of other bases are read
		}
	}
	for _, q := range c.bases {
		if b := it.base(c, q); b != nil && depth < 8 && it.derives(b, depth+1, is) {
			return true
		}
	}
	return false
}

// isModule reports whether c is an nn.Module: because it has a forward of its own and bases, of which none in its file is
// a function of autograd, or by its bases.
func (it *interp) isModule(c *class) bool {
	if m := c.methods["forward"]; m != nil && len(m.params) > 1 && m.params[0].name == "self" && len(c.bases) > 0 && c.bases[0] != "object" && !c.functionHere(0) {
		return true
	}
	return it.derives(c, 0, moduleName)
}

// functionHere reports whether c is a torch.autograd.Function, as far as its own file says.
func (c *class) functionHere(depth int) bool {
	for _, q := range c.bases {
		if functionName(q) {
			return true
		}
		if b := c.unit.classes[q]; b != nil && b != c && depth < 8 && b.functionHere(depth+1) {
			return true
		}
	}
	return false
}

func (it *interp) isLightning(c *class) bool {
	return it.derives(c, 0, func(q string) bool {
		return strings.HasSuffix(q, "LightningModule") || strings.HasSuffix(q, "LightningDataModule")
	})
}

// feeds reports whether d is the method of a data set, by its name, that gives the items.
func (it *interp) feeds(d *fn, by string) bool {
	return d != nil && d.class != nil && d.name == by &&
		it.derives(d.class, 0, func(q string) bool { return strings.HasSuffix(q, "Dataset") })
}

func (it *interp) isFunction(c *class) bool { return it.derives(c, 0, functionName) }

func functionName(q string) bool {
	return q == "torch.autograd.Function" || q == "torch.autograd.function.Function"
}

func moduleName(q string) bool {
	switch q {
	case "torch.nn.Parameter", "torch.nn.Buffer":
		return false
	}
	return strings.HasPrefix(q, "torch.nn.") && !strings.HasPrefix(q, "torch.nn.utils.") && !strings.HasPrefix(q, "torch.nn.functional.") && !strings.HasPrefix(q, "torch.nn.init.") ||
		strings.HasSuffix(q, ".LightningModule") || strings.HasSuffix(q, "PreTrainedModel") || strings.HasPrefix(q, "torchvision.models.")
}

// roleOf says what d is to PyTorch.
func (it *interp) roleOf(d *fn) Role {
	c := d.class
	if c == nil {
		return Plain
	}
	switch d.name {
	case "forward": // most are modules, which their names say without a look at other files
		if it.isModule(c) {
			return Forward
		}
		if it.isFunction(c) {
			return FunctionForward
		}
	case "setup_context":
		if it.isFunction(c) {
			return FunctionForward
		}
	case "backward":
		if it.isFunction(c) {
			return FunctionBackward
		}
	case "training_step":
		return TrainingStep
	case "compute_loss":
		if it.derives(c, 0, func(q string) bool { return strings.HasSuffix(q, "Trainer") && strings.Contains(q, ".") }) {
			return TrainingStep
		}
	case "on_train_batch_end", "on_train_batch_start":
		if it.derives(c, 0, func(q string) bool {
			return strings.HasSuffix(q, "Callback") || strings.HasSuffix(q, "LightningModule")
		}) {
			return TrainingStep
		}
	case "validation_step", "test_step", "predict_step":
		return EvaluationStep
	}
	return Plain
}

// external reports whether a qualified name belongs to a package that is never among the files looked at.
func external(q string) bool {
	first, _, _ := strings.Cut(q, ".")
	switch first {
	case "torch", "numpy", "collections", "functools", "itertools", "math", "os", "sys", "time", "random", "copy", "queue", "json", "logging",
		"torchvision", "torchaudio", "tqdm", "typing", "re", "warnings", "contextlib", "dataclasses", "abc", "pathlib", "threading", "argparse":
		return true
	}
	return false
}

func cutLast(q string) (before, last string, ok bool) {
	i := strings.LastIndexByte(q, '.')
	if i < 0 {
		return "", q, false
	}
	if i == 0 || q[i-1] == '.' {
		return q[:i+1], q[i+1:], true
	}
	return q[:i], q[i+1:], true
}
