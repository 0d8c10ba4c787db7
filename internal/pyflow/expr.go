package pyflow

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// expression returns the value of r.
func (it *interp) expression(r pysyntax.Ref) *value {
	if r == pysyntax.None || !it.spend() {
		return nothing
	}
	f := it.frame.unit.file
	switch f.Kind(r) {
	case pysyntax.Identifier:
		return it.lookup(f.Text(r))
	case pysyntax.Attribute:
		return it.attribute(r)
	case pysyntax.Call:
		return it.call(r)
	case pysyntax.Subscript:
		return it.subscript(r)
	case pysyntax.Assignment:
		return it.assignment(r)
	case pysyntax.AugmentedAssignment:
		return it.augmented(r)
	case pysyntax.NamedExpression:
		v := it.expression(f.Child(r, pysyntax.FieldValue))
		it.target(f.Child(r, pysyntax.FieldName), v, r)
		return v
	case pysyntax.BinaryOperator:
		return it.binary(r)
	case pysyntax.UnaryOperator:
		return it.at(r, opCompute, it.expression(f.Child(r, pysyntax.FieldArgument)))
	case pysyntax.BooleanOperator:
		return it.either(it.expression(f.Child(r, pysyntax.FieldLeft)), it.expression(f.Child(r, pysyntax.FieldRight)), r)
	case pysyntax.ConditionalExpression:
		return it.conditional(r)
	case pysyntax.List, pysyntax.Tuple, pysyntax.Set, pysyntax.ExpressionList, pysyntax.Dictionary:
		return it.display(r)
	case pysyntax.ListComprehension, pysyntax.SetComprehension, pysyntax.DictionaryComprehension, pysyntax.GeneratorExpression:
		return it.comprehension(r)
	case pysyntax.Lambda:
		if d := it.frame.unit.byNode[r]; d != nil {
			return it.closure(d, r)
		}
	case pysyntax.Await, pysyntax.ParenthesizedExpression, pysyntax.ListSplat, pysyntax.DictionarySplat, pysyntax.AsPattern:
		return it.expression(f.FirstChild(r))
	case pysyntax.Yield:
		return it.yields(r)
	case pysyntax.ComparisonOperator, pysyntax.NotOperator:
		return it.comparison(r)
	case pysyntax.String, pysyntax.ConcatenatedString, pysyntax.Integer, pysyntax.Float, pysyntax.TrueValue, pysyntax.FalseValue, pysyntax.NoneValue:
		return number
	}
	return nothing
}

func (it *interp) comparison(r pysyntax.Ref) *value {
	f := it.frame.unit.file
	var in []*value
	for c := range f.Children(r) {
		if f.Kind(c) != pysyntax.Token {
			in = append(in, it.expression(c))
		}
	}
	if f.Kind(r) == pysyntax.NotOperator {
		return number
	}
	return it.at(r, opCut, in...)
}

func (it *interp) conditional(r pysyntax.Ref) *value {
	f := it.frame.unit.file
	var kids []pysyntax.Ref
	for c := range f.Children(r) {
		kids = append(kids, c)
	}
	if len(kids) != 3 {
		return nothing
	}
	it.expression(kids[1])
	was := it.frame.vars
	var a, b *value
	it.way(func() { it.refine(kids[1], true); a = it.expression(kids[0]) })
	it.way(func() { it.refine(kids[1], false); b = it.expression(kids[2]) })
	it.frame.vars = was
	return it.joined(r, "", a, b)
}

func (it *interp) binary(r pysyntax.Ref) *value {
	f := it.frame.unit.file
	left, right := f.Child(r, pysyntax.FieldLeft), f.Child(r, pysyntax.FieldRight)
	a, b := it.expression(left), it.expression(right)
	op := f.Text(f.Child(r, pysyntax.FieldOperator))
	if op == "+" && (len(a.containers()) > 0 || len(b.containers()) > 0) {
		return it.concatenated(r, a, b)
	}
	if op == "*" && (f.Kind(left) == pysyntax.List || f.Kind(right) == pysyntax.List) {
		return it.filled(r, a, b)
	}
	if op == "%" && f.Is(left, pysyntax.String, pysyntax.ConcatenatedString) || literal(f, left) && literal(f, right) {
		return number
	}
	v := it.at(r, opCompute, a, b)
	v.times, v.binary, v.modulo = op != "+" && op != "-", true, op == "%"
	return v
}

func literal(f *pysyntax.File, r pysyntax.Ref) bool {
	return f.Is(r, pysyntax.Integer, pysyntax.Float, pysyntax.String)
}

// concatenated is a new list of what is in a and b.
func (it *interp) concatenated(r pysyntax.Ref, a, b *value) *value {
	v := it.containerAt(r, "list")
	for _, w := range []*value{a, b} {
		for _, o := range w.containers() {
			if o != v.object {
				v.object.elems.feed(o.elems)
			}
		}
		if len(w.containers()) == 0 {
			v.object.elems.feed(it.at(r, opElem, w))
		}
	}
	return v
}

// filled is a list of so many places, as [None] * n: what is put into them takes the place of something.
func (it *interp) filled(r pysyntax.Ref, a, b *value) *value {
	v := it.containerAt(r, "list")
	v.object.bounded = true
	for _, w := range []*value{a, b} {
		for _, o := range w.containers() {
			if o != v.object {
				v.object.elems.feed(o.elems)
			}
		}
	}
	return v
}

func (it *interp) display(r pysyntax.Ref) *value {
	f := it.frame.unit.file
	typ := "list"
	switch f.Kind(r) {
	case pysyntax.Tuple, pysyntax.ExpressionList:
		typ = "tuple"
	case pysyntax.Set:
		typ = "set"
	case pysyntax.Dictionary:
		typ = "dict"
	}
	v := it.containerAt(r, typ)
	o := v.object
	exact, i := typ == "list" || typ == "tuple", 0
	for c := range f.Children(r) {
		switch f.Kind(c) {
		case pysyntax.Comment:
			continue
		case pysyntax.Pair:
			key := f.Child(c, pysyntax.FieldKey)
			w := it.expression(f.Child(c, pysyntax.FieldValue))
			it.expression(key)
			o.show(f.Child(c, pysyntax.FieldValue), w)
			it.setKey(o, constant(f, key), w)
			continue
		case pysyntax.ListSplat, pysyntax.DictionarySplat:
			exact = false
			w := it.expression(f.FirstChild(c))
			o.elems.feed(it.part(w, c))
			continue
		}
		w := it.expression(c)
		o.elems.feed(w)
		o.show(c, w)
		if exact && i < 32 {
			if i < len(o.parts) {
				o.parts[i] = w
			} else {
				o.parts = append(o.parts, w)
			}
			i++
		}
	}
	if !exact {
		o.parts = nil
	}
	return v
}

// maxShown bounds how many elements of one display are told apart: generated tables have hundreds of thousands.
const maxShown = 256

// show notes that w is written out at r.
func (o *object) show(r pysyntax.Ref, w *value) {
	for i := range o.shown {
		if o.shown[i].node == r {
			o.shown[i].val = w
			return
		}
	}
	if len(o.shown) < maxShown {
		o.shown = append(o.shown, shown{r, w})
	}
}

func (it *interp) setKey(o *object, key string, w *value) {
	if key != "" && len(o.keys) < 64 {
		o.keys[key] = w
	}
	o.elems.feed(w)
}

// constant returns the text of a literal key, empty for others.
func constant(f *pysyntax.File, r pysyntax.Ref) string {
	if r != pysyntax.None && f.Is(r, pysyntax.String, pysyntax.Integer) {
		return strings.Trim(f.Text(r), `"'`)
	}
	return ""
}

// attribute returns the value of `object.name`.
func (it *interp) attribute(r pysyntax.Ref) *value {
	f := it.frame.unit.file
	object := it.expression(f.Child(r, pysyntax.FieldObject))
	return it.attr(object, f.Text(f.Child(r, pysyntax.FieldAttribute)), r)
}

func (it *interp) attr(v *value, name string, r pysyntax.Ref) *value {
	f := it.frame.unit.file
	if v == number {
		return nothing
	}
	if o := v.objectWith(name); o != nil {
		if w := it.member(v, o, name, r); w != nil {
			return w
		}
	}
	if v.name != "" && v.object == nil && v.op == opFixed && v.in == nil && (external(v.name) || v.scope == Global) && !strings.HasSuffix(v.name, "()") {
		key := memoKey{r, keyName}
		if w := it.frame.memo[key]; w != nil {
			return w
		}
		w := &value{name: canonical(v.name + "." + name), path: v.path + "." + name, scope: Global, traits: v.traits & Callable, unit: it.frame.unit}
		it.frame.memo[key] = w
		return w
	}
	if name == "__class__" {
		if o := v.instance(); o != nil && o.class != nil {
			return it.classOf(o)
		}
	}
	switch name {
	case "shape", "device", "dtype", "ndim", "requires_grad", "is_cuda", "names", "itemsize", "nbytes", "__name__", "__class__", "__dict__", "training":
		return number
	case "grad_fn":
		w := it.at(r, opMoved, v)
		w.node = true
		return w
	case "data", "grad":
		w := it.at(r, opCut, v)
		w.ofParams = name == "grad"
		if name == "data" {
			w.partly = true
			it.tensorish(v)
		}
		return w
	case "T", "mT", "H", "real", "imag":
		w := it.at(r, opCompute, v)
		return w
	}
	if v.source().node {
		w := it.at(r, opElem, v) // the nodes before it
		w.node = true
		return w
	}
	if v.op == opElem || v.op == opCompute || v.op == opCall || v.op == opCut || v.traits&(Batch|Graph) != 0 {
		if v.object == nil || v.object.fields[name] == nil {
			if v.traits&Net == 0 && v.object == nil {
				return it.at(r, opElem, v)
			}
		}
	}
	o := it.thing(v)
	if o == nil {
		return nothing
	}
	if w := o.fields[name]; w != nil {
		return w
	}
	w := it.make(r, opFixed)
	w.path, w.scope, w.loops = f.Text(r), Attribute, o.loops
	w.in, w.stub = []*value{v}, true
	o.fields[name] = w
	return w
}

// classOf is the class of an instance, or the class itself, as a value.
func (it *interp) classOf(o *object) *value {
	if v := it.globalName(o.class.unit, o.class.name); v.object != nil && v.object.class == o.class {
		return v
	}
	return &value{object: &object{kind: namespace, class: o.class, unit: o.class.unit}, traits: Callable, name: o.class.name}
}

// objectWith returns the object of v that has the attribute, or else any.
func (v *value) objectWith(name string) *object {
	all := v.objects()
	for _, o := range all {
		if o.fields[name] != nil || o.class != nil && o.class.methods[name] != nil {
			return o
		}
	}
	for _, o := range all {
		if o.kind != container {
			return o
		}
	}
	return nil
}

// member finds an attribute of an object of the source: its own, its class's, or a method.
func (it *interp) member(v *value, o *object, name string, r pysyntax.Ref) *value {
	if w := o.fields[name]; w != nil {
		return w
	}
	if o.kind == namespace && o.class == nil {
		return it.globalName(o.unit, name)
	}
	if o.class == nil {
		return nil
	}
	if m := it.method(o.class, name, 0); m != nil {
		key := memoKey{r, keyName}
		if w := it.frame.memo[key]; w != nil && w.object.fn == m && w.object.self == v {
			return w
		}
		self := v
		if o.kind == namespace {
			self = nil
		}
		for _, mark := range m.marks {
			switch mark {
			case "property", "functools.cached_property", "cached_property":
				if o.kind == instance {
					return it.inline(&object{fn: m, outer: it.global(m.unit), self: self}, nil, r)
				}
			case "staticmethod":
				self = nil
			case "classmethod":
				self = it.classOf(o)
			}
		}
		w := it.make(r, opFixed)
		w.traits = Callable
		w.object = &object{kind: function, fn: m, outer: it.global(m.unit), self: self, unit: m.unit}
		it.frame.memo[key] = w
		return w
	}
	if u, at := it.classAttr(o.class, name, 0); u != nil {
		return it.classValue(u, o.class, name, at)
	}
	return nil
}
