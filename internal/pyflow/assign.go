package pyflow

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// slot is a variable, an attribute or an entry that holds one value at a time.
type slot struct {
	frame  *frame
	object *object
	name   string
}

// carry is one assignment to a slot, to be judged when all is known.
type carry struct {
	slot   slot
	what   *value
	at     pysyntax.Ref
	right  pysyntax.Ref
	unit   *unit
	fn     *fn
	path   string
	scope  Scope
	loops  *round
	born   *round // the round that the slot was made in
	via    []Callee
	cond   bool
	noGrad bool
	eval   bool
	first  bool // only where nothing is there yet
	frame  *frame
}

// assignment runs `left = right`, also with annotation and chained.
func (it *interp) assignment(r pysyntax.Ref) *value {
	f := it.frame.unit.file
	right := f.Child(r, pysyntax.FieldRight)
	if right == pysyntax.None {
		return nothing
	}
	if v := it.lengthened(f.Child(r, pysyntax.FieldLeft), right, r); v != nil {
		return v
	}
	v := it.expression(right)
	it.target(f.Child(r, pysyntax.FieldLeft), v, r)
	return v
}

// lengthened runs `xs = xs + [v]` and `xs = [*xs, v]`, which make a container longer as `xs += [v]` does; nil for others.
func (it *interp) lengthened(left, right, stmt pysyntax.Ref) *value {
	f := it.frame.unit.file
	first := pysyntax.None
	switch f.Kind(right) {
	case pysyntax.BinaryOperator:
		if f.Says(f.Child(right, pysyntax.FieldOperator), "+") {
			first = f.Child(right, pysyntax.FieldLeft)
		}
	case pysyntax.List, pysyntax.Tuple:
		if c := f.FirstChild(right); c != pysyntax.None && f.Kind(c) == pysyntax.ListSplat {
			first = f.FirstChild(c)
		}
	}
	if it.loops == nil || first == pysyntax.None || !f.Is(left, pysyntax.Identifier, pysyntax.Attribute, pysyntax.Subscript) || f.Text(first) != f.Text(left) {
		return nil
	}
	old := it.expression(left)
	if len(old.containers()) == 0 {
		return nil
	}
	if f.Kind(right) == pysyntax.BinaryOperator {
		more := f.Child(right, pysyntax.FieldRight)
		it.extend(old, it.expression(more), left, more, stmt)
		return old
	}
	it.appendEach(old, left, right, first, stmt)
	return old
}

// target gives v to whatever stands on the left at r.
func (it *interp) target(r pysyntax.Ref, v *value, stmt pysyntax.Ref) {
	f := it.frame.unit.file
	if r == pysyntax.None || !it.spend() {
		return
	}
	switch f.Kind(r) {
	case pysyntax.Identifier:
		name := f.Text(r)
		old := it.lookupOwn(name)
		it.bind(name, v)
		it.carried(slot{frame: it.home(name), name: name}, old, v, r, stmt)
	case pysyntax.Attribute:
		it.setAttribute(r, v, stmt)
	case pysyntax.Subscript:
		it.setItem(r, v, stmt)
	case pysyntax.ListSplatPattern, pysyntax.ParenthesizedExpression:
		it.target(f.FirstChild(r), v, stmt)
	case pysyntax.PatternList, pysyntax.TuplePattern, pysyntax.ListPattern, pysyntax.Tuple, pysyntax.List, pysyntax.ExpressionList:
		i := 0
		for c := range f.Children(r) {
			it.target(c, it.unpacked(v, i, c), stmt)
			i++
		}
	case pysyntax.AsPatternTarget:
		it.target(f.FirstChild(r), v, stmt)
	}
}

// unpacked is the i-th part of v, read at r.
func (it *interp) unpacked(v *value, i int, r pysyntax.Ref) *value {
	var exact *value
	for _, o := range v.containers() {
		if i < len(o.parts) && o.stores == 0 {
			exact = it.either(exact, o.parts[i], r)
		}
	}
	if exact != nil {
		return exact
	}
	w := it.at(r, opElem, v)
	w.apart = true
	return w
}

// lookupOwn returns what a name is bound to where this frame would bind it.
func (it *interp) lookupOwn(name string) *value { return it.home(name).vars.get(name) }

// home returns the frame that a name belongs to when it is assigned here.
func (it *interp) home(name string) *frame {
	fr := it.frame
	if fr.names[name] {
		return it.global(fr.unit)
	}
	if fr.non[name] {
		for f := fr.outer; f != nil; f = f.outer {
			if f.vars.get(name) != nil {
				return f
			}
		}
	}
	return fr
}

// carried notes an assignment that a later round may build upon.
func (it *interp) carried(s slot, old, v *value, r, stmt pysyntax.Ref) {
	if it.loops == nil || len(it.cycles) >= maxEvents || it.repeated(deed{r, v, s.object, s.name, it.loops}) {
		return
	}
	f := it.frame.unit.file
	c := &carry{slot: s, what: v, at: f.Statement(stmt), unit: it.frame.unit, fn: it.frame.fn, path: f.Text(r), loops: it.loops,
		frame: it.frame, via: it.viaNow(), cond: it.cond > 0, noGrad: it.noGrad, eval: it.eval && !it.forwards(), right: f.Child(stmt, pysyntax.FieldRight)}
	for _, g := range it.guards {
		text := f.Text(g)
		c.first = c.first || strings.Contains(text, c.path+" is None") || strings.Contains(text, "not "+c.path) || strings.Contains(text, " not in ")
	}
	switch {
	case s.object != nil:
		c.born, c.scope = s.object.loops, Attribute
		if s.object.kind == container && !strings.Contains(c.path, ".") {
			c.scope = s.object.scope
		}
		if s.object.kind == namespace {
			c.scope = ClassLevel
		}
	case s.frame == it.global(it.frame.unit):
		c.scope = Global
	case s.frame != it.frame:
		c.scope, c.born = Closure, s.frame.base
	default:
		c.born = it.frame.base
	}
	it.cycles = append(it.cycles, c)
	it.slots[s] = append(it.slots[s], c)
}

func (it *interp) viaNow() []Callee {
	if len(it.via) == 0 {
		return nil
	}
	return append([]Callee(nil), it.via...)
}

// setAttribute runs `object.name = v`.
func (it *interp) setAttribute(r pysyntax.Ref, v *value, stmt pysyntax.Ref) {
	f := it.frame.unit.file
	object := it.expression(f.Child(r, pysyntax.FieldObject))
	name := f.Text(f.Child(r, pysyntax.FieldAttribute))
	if name == "requires_grad" {
		it.requires(object, f.Child(stmt, pysyntax.FieldRight))
		return
	}
	o := it.thing(object)
	if o == nil || o.class == nil && (name == "grad" || name == "data") {
		return
	}
	old := o.fields[name]
	if name == "forward" && o.class == nil {
		it.replaced(old, v, r)
	}
	if old != nil && old != v {
		it.left(old, v)
		if it.cond > 0 {
			v2 := it.joined(r, name, old, v)
			o.fields[name] = v2
			it.carried(slot{object: o, name: name}, old, v, r, stmt)
			it.kept(o, name, v, r, stmt)
			return
		}
	}
	o.fields[name] = v
	if v.path == "" && v.op == opFixed && v.unit != nil {
		v.path, v.scope = f.Text(r), Attribute
	}
	it.carried(slot{object: o, name: name}, old, v, r, stmt)
	it.kept(o, name, v, r, stmt)
}

// replaced goes through a function that is put in the place of a module's forward: it is called in every step.
func (it *interp) replaced(old, v *value, r pysyntax.Ref) {
	if old != nil {
		it.net(old)
	}
	it.hook(r, v, "forward")
}

// kept notes a value that an attribute holds until the next one comes.
func (it *interp) kept(o *object, name string, v *value, r, stmt pysyntax.Ref) {
	if len(v.containers()) > 0 || v == number || v == nothing {
		return
	}
	f := it.frame.unit.file
	it.store(&event{at: f.Statement(stmt), value: f.Child(stmt, pysyntax.FieldRight), what: v, path: f.Text(r), scope: Attribute,
		how: Assigned, holder: o})
}

// requires handles `p.requires_grad = value`.
func (it *interp) requires(p *value, right pysyntax.Ref) {
	f := it.frame.unit.file
	if right == pysyntax.None || p.shared() {
		return
	}
	switch f.Kind(right) {
	case pysyntax.FalseValue:
		it.freeze(p)
	case pysyntax.TrueValue:
		p.traits |= Tensor | Parameter
	}
}

// freeze marks the module whose parameters p is one of.
func (it *interp) freeze(v *value) {
	for depth := 0; v != nil && depth < 6 && !v.shared(); depth++ {
		v.frozen = true
		if len(v.in) == 0 {
			return
		}
		v = v.in[0]
	}
}

// thing returns the object with attributes that v is, made up where nothing is known of it.
func (it *interp) thing(v *value) *object {
	for _, o := range v.objects() {
		if o.kind == instance || o.kind == namespace && o.class != nil {
			if o.fields == nil {
				o.fields = map[string]*value{}
			}
			return o
		}
	}
	if v == nothing || v == number || v.object != nil && v.object.kind == container {
		return nil
	}
	root := v.source()
	if root.shared() {
		return nil
	}
	if root.object == nil {
		root.object = &object{kind: instance, unit: it.frame.unit, loops: root.loops, unknown: true, fields: map[string]*value{}}
	}
	o := root.object
	if o.fields == nil {
		o.fields = map[string]*value{}
	}
	return o
}

// source is the value that v is a copy of.
func (v *value) source() *value {
	for depth := 0; depth < 8 && v.op == opCopy && v.object == nil && len(v.in) == 1; depth++ {
		v = v.in[0]
	}
	return v
}

// augmented runs `left += right`.
func (it *interp) augmented(r pysyntax.Ref) *value {
	f := it.frame.unit.file
	left, right := f.Child(r, pysyntax.FieldLeft), f.Child(r, pysyntax.FieldRight)
	old, v := it.expression(left), it.expression(right)
	op := f.Text(f.Child(r, pysyntax.FieldOperator))
	if op == "+=" || op == "|=" {
		if held := old.containers(); len(held) > 0 {
			it.extend(old, v, left, right, r)
			return old
		}
		if len(v.containers()) > 0 && v.traits&Tensor == 0 && it.mutable(old) {
			it.extend(it.held(old), v, left, right, r)
			return old
		}
	}
	if op == "*=" && (len(old.containers()) > 0 || len(v.containers()) > 0) {
		return old
	}
	sum := it.at(r, opCompute, old, v)
	sum.times, sum.binary = op != "+=" && op != "-=", true
	it.target(left, sum, r)
	return sum
}

// mutable reports whether v is something from elsewhere that could be a list.
func (it *interp) mutable(v *value) bool {
	return v.traits == 0 && v.scope == Attribute && v.path != ""
}
