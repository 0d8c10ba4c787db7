package pyflow

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// imported notes what names an import statement binds.
func (u *unit) imported(r pysyntax.Ref) {
	f := u.file
	module := ""
	if m := f.Child(r, pysyntax.FieldModuleName); m != pysyntax.None {
		module = f.Text(m)
	}
	for c := range f.Children(r) {
		if f.Kind(c) == pysyntax.WildcardImport {
			u.stars = append(u.stars, module)
			continue
		}
		if f.Node(c).Field != pysyntax.FieldName {
			continue
		}
		name, as := f.Text(c), ""
		if f.Kind(c) == pysyntax.AliasedImport {
			name, as = f.Text(f.Child(c, pysyntax.FieldName)), f.Text(f.Child(c, pysyntax.FieldAlias))
		}
		full := name
		if module != "" {
			full = join(module, name)
		} else if as == "" {
			first, _, _ := strings.Cut(name, ".")
			full, as = first, first
		}
		if as == "" {
			as = name
		}
		if strings.HasPrefix(full, "torch") || strings.Contains(full, "lightning") {
			u.torch = true
		}
		u.imports[as] = canonical(full)
	}
	if strings.HasPrefix(module, "torch") {
		u.torch = true
	}
}

func join(module, name string) string {
	if strings.HasSuffix(module, ".") {
		return module + name
	}
	return module + "." + name
}

var shorter = []struct{ long, short string }{
	{"torch.nn.modules.", "torch.nn."},
	{"torch.nn.parameter.", "torch.nn."},
	{"torch.utils.data.dataloader.", "torch.utils.data."},
	{"torch.autograd.grad_mode.", "torch."},
	{"torch.autograd.function.", "torch.autograd."},
	{"torch.cuda.amp.autocast_mode.", "torch.cuda.amp."},
}

// canonical spells the name of one thing in one way.
func canonical(name string) string {
	if !strings.HasPrefix(name, "torch.") {
		return name
	}
	switch name {
	case "torch.autograd.no_grad", "torch.autograd.grad_mode.no_grad":
		return "torch.no_grad"
	case "torch.autograd.enable_grad":
		return "torch.enable_grad"
	}
	for _, s := range shorter {
		if rest, ok := strings.CutPrefix(name, s.long); ok {
			if s.short == "torch.nn." && strings.Count(rest, ".") == 1 {
				_, rest, _ = strings.Cut(rest, ".")
			}
			return s.short + rest
		}
	}
	return name
}

// mentions notes which attributes are emptied and how names are called, for questions across files.
func (u *unit) mentions() {
	f := u.file
	for r := pysyntax.Ref(1); int(r) < f.Len(); r++ {
		if u.switchesOff(r) && !u.under(r) {
			u.without = r
		}
		switch f.Kind(r) {
		case pysyntax.Call:
			u.calling(r)
		case pysyntax.Assignment:
			if !u.starts(r) {
				u.renewed(f.Child(r, pysyntax.FieldLeft), f.Child(r, pysyntax.FieldRight))
			}
		case pysyntax.DeleteStatement:
			for c := range f.Walk(r) {
				if f.Kind(c) == pysyntax.Attribute {
					u.emptied[f.Text(f.Child(c, pysyntax.FieldAttribute))] = true
				}
			}
		}
	}
}

// renewed notes attributes that are assigned something empty, alone or several at once.
func (u *unit) renewed(left, right pysyntax.Ref) {
	f := u.file
	if left == pysyntax.None || right == pysyntax.None {
		return
	}
	switch f.Kind(left) {
	case pysyntax.Attribute:
		if fresh(f, right) {
			u.emptied[f.Text(f.Child(left, pysyntax.FieldAttribute))] = true
		}
	case pysyntax.Subscript:
		if name := entryName(f.Text(left)); name != "" && fresh(f, right) {
			u.emptied[name] = true
		}
	case pysyntax.PatternList, pysyntax.TuplePattern:
		if f.Is(right, pysyntax.ExpressionList, pysyntax.Tuple) {
			for l, r := f.FirstChild(left), f.FirstChild(right); l != pysyntax.None && r != pysyntax.None; l, r = f.NextSibling(l), f.NextSibling(r) {
				u.renewed(l, r)
			}
		}
	}
}

// fresh reports whether an expression is an empty container, None or a number.
func fresh(f *pysyntax.File, r pysyntax.Ref) bool {
	if r == pysyntax.None {
		return false
	}
	switch f.Kind(r) {
	case pysyntax.List, pysyntax.Dictionary, pysyntax.NoneValue, pysyntax.Integer, pysyntax.Float,
		pysyntax.ListComprehension, pysyntax.DictionaryComprehension:
		return true
	case pysyntax.Call:
		switch callee := f.Text(f.Child(r, pysyntax.FieldFunction)); callee {
		case "list", "dict", "set", "deque", "collections.deque", "defaultdict", "collections.defaultdict", "OrderedDict":
			return true
		}
	case pysyntax.Assignment:
		return fresh(f, f.Child(r, pysyntax.FieldRight))
	}
	return false
}

// starts reports whether r stands where an object begins its life.
func (u *unit) starts(r pysyntax.Ref) bool {
	d := u.byNode[u.file.Function(r)]
	return d == nil || d.name == "__init__" || d.name == "__new__" || d.name == "setup" || d.name == "build"
}

func (u *unit) calling(r pysyntax.Ref) {
	f := u.file
	callee := f.Child(r, pysyntax.FieldFunction)
	name := ""
	switch f.Kind(callee) {
	case pysyntax.Identifier:
		name = f.Text(callee)
	case pysyntax.Attribute:
		name = f.Text(f.Child(callee, pysyntax.FieldAttribute))
		object := f.Child(callee, pysyntax.FieldObject)
		switch name {
		case "clear", "pop", "popleft", "get", "popitem", "get_nowait":
			if name != "get" || f.FirstChild(f.Child(r, pysyntax.FieldArguments)) == pysyntax.None {
				if f.Kind(object) == pysyntax.Subscript {
					object = f.Child(object, pysyntax.FieldValue)
				}
				if f.Kind(object) == pysyntax.Attribute {
					u.emptied[f.Text(f.Child(object, pysyntax.FieldAttribute))] = true
				}
			}
		}
	default:
		return
	}
	if len(u.losses) > 0 {
		i := 0
		for a := range f.Children(f.Child(r, pysyntax.FieldArguments)) {
			switch {
			case f.Kind(a) == pysyntax.KeywordArgument && u.losses[f.Text(f.Child(a, pysyntax.FieldValue))]:
				u.given[name+"#"+f.Text(f.Child(a, pysyntax.FieldName))] = true
			case f.Is(a, pysyntax.Identifier, pysyntax.Attribute) && u.losses[f.Text(a)]:
				u.given[name+"#"+string(rune('0'+i))] = true
			}
			i++
		}
	}
	c := u.called[name]
	if c == nil {
		c = &callers{}
		u.called[name] = c
	}
	if u.under(r) {
		c.noGrad++
	} else {
		c.grad++
	}
}

// under reports whether r stands in a with statement or a function that switches gradients off: in the last one that began.
func (u *unit) under(r pysyntax.Ref) bool {
	return u.without != pysyntax.None && u.file.Within(r, u.without)
}

// switchesOff reports whether gradients are off in all of a with statement or a decorated function.
func (u *unit) switchesOff(r pysyntax.Ref) bool {
	f := u.file
	switch f.Kind(r) {
	case pysyntax.WithStatement:
		head := string(f.Source[f.Node(r).Start:f.Head(r)])
		return strings.Contains(head, "no_grad") || strings.Contains(head, "inference_mode")
	case pysyntax.DecoratedDefinition:
		return gradOff(u.decorators(f.Child(r, pysyntax.FieldDefinition)))
	}
	return false
}

func gradOff(marks []string) bool {
	for _, m := range marks {
		if strings.Contains(m, "no_grad") || strings.Contains(m, "inference_mode") {
			return true
		}
	}
	return false
}
