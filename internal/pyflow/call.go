package pyflow

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// argument is one argument of a call.
type argument struct {
	name string
	node pysyntax.Ref
	val  *value
	star bool
}

func (it *interp) arguments(r pysyntax.Ref) []argument {
	f := it.frame.unit.file
	list := f.Child(r, pysyntax.FieldArguments)
	if f.Kind(list) == pysyntax.GeneratorExpression {
		return []argument{{node: list, val: it.expression(list)}}
	}
	var args []argument
	for c := range f.Children(list) {
		switch f.Kind(c) {
		case pysyntax.Comment:
		case pysyntax.KeywordArgument:
			node := f.Child(c, pysyntax.FieldValue)
			args = append(args, argument{name: f.Text(f.Child(c, pysyntax.FieldName)), node: node, val: it.expression(node)})
		case pysyntax.ListSplat, pysyntax.DictionarySplat:
			args = append(args, argument{node: c, val: it.expression(f.FirstChild(c)), star: true})
		default:
			args = append(args, argument{node: c, val: it.expression(c)})
		}
	}
	return args
}

// call returns the value of the call at r.
func (it *interp) call(r pysyntax.Ref) *value {
	f := it.frame.unit.file
	callee := f.Child(r, pysyntax.FieldFunction)
	if f.Kind(callee) == pysyntax.Attribute {
		object := f.Child(callee, pysyntax.FieldObject)
		name := f.Text(f.Child(callee, pysyntax.FieldAttribute))
		if f.Kind(object) == pysyntax.Call && f.Says(f.Child(object, pysyntax.FieldFunction), "super") {
			return it.super(r, name)
		}
		return it.methodCall(r, callee, object, name)
	}
	fun := it.expression(callee)
	args := it.arguments(r)
	v := it.apply(r, fun, args)
	it.note(r, called(fun), nil, args, v, fun)
	return v
}

// called is the qualified name of what is called.
func called(fun *value) string {
	if o := fun.object; o != nil && fun.op == opFixed {
		switch {
		case o.fn != nil && o.fn.class != nil:
			return o.fn.class.name + "." + o.fn.name
		case o.fn != nil:
			return o.fn.name
		case o.class != nil:
			return o.class.name
		}
	}
	return fun.name
}

// apply calls fun.
func (it *interp) apply(r pysyntax.Ref, fun *value, args []argument) *value {
	for _, o := range fun.objects() {
		switch {
		case o.kind == function && o.fn != nil:
			return it.inline(o, args, r)
		case o.kind == namespace && o.class != nil:
			return it.construct(r, o.class, args)
		case o.kind == instance && o.class != nil && !it.isModule(o.class):
			if m := it.method(o.class, "__call__", 0); m != nil {
				return it.inline(&object{fn: m, outer: it.global(m.unit), self: fun}, args, r)
			}
		}
	}
	if fun.name != "" && fun.traits&Net == 0 && !strings.HasSuffix(fun.name, "()") {
		return it.named(r, fun.name, args)
	}
	return it.opaque(r, fun, args)
}

// opaque is the result of something of which the source says nothing, or of a module.
func (it *interp) opaque(r pysyntax.Ref, fun *value, args []argument) *value {
	in := []*value{fun}
	for _, a := range args {
		in = append(in, a.val)
	}
	if len(in) > 16 {
		in = in[:16]
	}
	v := it.at(r, opCall, in...)
	return v
}

// construct makes an instance of a class of the source.
func (it *interp) construct(r pysyntax.Ref, c *class, args []argument) *value {
	key := memoKey{r, keyContainer}
	v := it.frame.memo[key]
	if v == nil {
		v = it.make(r, opFixed)
		v.traits = Owner
		if it.isModule(c) {
			v.traits |= Net
		}
		v.object = &object{kind: instance, class: c, made: r, unit: it.frame.unit, loops: it.loops, fields: map[string]*value{}}
		it.frame.memo[key] = v
		if it.births[c] == nil {
			it.births[c] = v
		}
	}
	if m := it.method(c, "__init__", 0); m != nil {
		it.inline(&object{fn: m, outer: it.global(m.unit), self: v}, args, r)
	} else {
		it.dataclass(v.object, c, args)
	}
	return v
}

// dataclass gives the fields of a class without __init__ what it is called with.
func (it *interp) dataclass(o *object, c *class, args []argument) {
	fields := c.fields()
	for i, a := range args {
		name := a.name
		if name == "" && i < len(fields) && !a.star {
			name = fields[i]
		}
		if name != "" {
			o.fields[name] = it.keyed(memoKey{a.node, keyParam}, opCopy, a.val)
		}
	}
}

// super calls a method of a base class.
func (it *interp) super(r pysyntax.Ref, name string) *value {
	args := it.arguments(r)
	d := it.frame.fn
	if d == nil || d.class == nil || len(d.params) == 0 {
		return nothing
	}
	self := it.frame.vars.get(d.params[0].name)
	for _, q := range d.class.bases {
		if b := it.base(d.class, q); b != nil {
			if m := it.method(b, name, 0); m != nil {
				return it.inline(&object{fn: m, outer: it.global(m.unit), self: self}, args, r)
			}
		}
	}
	if name == "forward" || name == "__call__" {
		return it.at(r, opCompute, append([]*value{fixed(Parameter)}, values(args)...)...)
	}
	return it.at(r, opFixed)
}

func values(args []argument) []*value {
	var all []*value
	for _, a := range args {
		all = append(all, a.val)
	}
	return all
}

type callKey struct {
	at pysyntax.Ref
	fn *fn
}

// inline goes through a function of the source with the arguments of a call.
func (it *interp) inline(o *object, args []argument, r pysyntax.Ref) *value {
	d := o.fn
	if len(o.bound) > 0 {
		args = append(append([]argument(nil), o.bound...), args...)
	}
	if it.depth >= maxDepth || it.active[d] > 0 || it.over {
		return it.opaque(r, it.at(r, opFixed), args)
	}
	it.seen[d] = true
	caller := it.frame
	key := callKey{r, d}
	fr := caller.calls[key]
	if fr == nil {
		fr = newFrame(d.unit, d, o.outer)
		fr.base = it.loops
		caller.calls[key] = fr
	}
	if fr.runs++; fr.runs > 3 && fr.rets != nil {
		return fr.rets
	}
	noGrad, eval := it.noGrad, it.eval
	via := it.via
	it.via = append(append([]Callee(nil), via...), Callee{File: d.unit.file, Node: d.node, Call: r, From: caller.unit.file})
	if gradOff(d.marks) || it.roleOf(d) == EvaluationStep && it.isLightning(d.class) {
		it.noGrad = true
	}
	it.depth++
	it.active[d]++
	followed := it.journey(d, func() {
		it.seed(fr, o, args, caller)
		it.in(fr, func() { it.body(d) })
	})
	it.active[d]--
	it.depth--
	it.noGrad, it.eval, it.via = noGrad, eval, via
	fr.done = false
	it.facts.returned(d, fr.rets)
	switch {
	case !followed:
		return it.opaque(r, it.at(r, opFixed), args)
	case fr.rets == nil:
		return number
	}
	return fr.rets
}

// journey runs what goes through d. A call that leaves its file gets a share of the steps: what lies behind it may be a
// whole framework, and the rest of the function that calls must not go without for it. It reports whether that was
// enough; where it was not, the call is like one into a library that nobody has the source of.
func (it *interp) journey(d *fn, do func()) (followed bool) {
	if d.unit == it.frame.unit {
		do()
		return true
	}
	share := it.share()
	if share <= it.far[d] {
		return false
	}
	began, limit, abroad := it.steps, it.limit, it.abroad
	it.limit, it.abroad = began+share, true
	do()
	it.limit, it.abroad = limit, abroad
	if spent := it.steps - began; !abroad {
		it.limit, it.journeys = limit+spent, it.journeys-spent
	}
	if !it.over || it.count > maxValues {
		return true
	}
	it.over, it.far[d] = false, share
	return false
}

// share is how many steps a call into another file may take: of the root's own, none; of a journey, half of what is left.
func (it *interp) share() int {
	if it.abroad {
		return (it.limit - it.steps) / 2
	}
	return min(maxJourney, it.journeys)
}

// tooFar reports whether calls of d are not followed, since it lies in another file and takes too many steps. What its
// name alone says of a method, that it calls backward for one, holds then.
func (it *interp) tooFar(d *fn) bool {
	return d != nil && d.unit != it.frame.unit && it.share() <= it.far[d]
}

// body runs what a function or lambda does.
func (it *interp) body(d *fn) {
	f := d.unit.file
	body := f.Child(d.node, pysyntax.FieldBody)
	if f.Kind(d.node) == pysyntax.Lambda {
		it.frame.rets = it.expression(body)
		return
	}
	it.block(body)
}

// seed gives the parameters of fr the arguments of a call.
func (it *interp) seed(fr *frame, o *object, args []argument, caller *frame) {
	d := o.fn
	params := d.params
	set := func(p param, v *value) {
		key := memoKey{p.node, keyParam}
		if old := fr.memo[key]; old != nil && old != v && old.op == opCopy {
			old.feed(v)
			v = old
		} else if old == nil {
			w := &value{op: opCopy, in: []*value{v}, from: p.node, unit: d.unit, loops: v.loops, path: p.name, scope: Argument}
			it.values = append(it.values, w)
			fr.memo[key] = w
			v = w
		}
		fr.vars.set(p.name, v)
	}
	if o.self != nil && len(params) > 0 {
		fr.vars.set(params[0].name, o.self)
		params = params[1:]
	}
	given := map[string]bool{}
	i := 0
	for _, a := range args {
		switch {
		case a.star:
			part := it.part(a.val, a.node)
			for ; i < len(params); i++ {
				if !given[params[i].name] {
					set(params[i], part)
					given[params[i].name] = true
				}
			}
		case a.name != "":
			for _, p := range params {
				switch {
				case p.name == a.name:
					set(p, a.val)
					given[p.name] = true
				case p.keywords && !d.takes(a.name):
					w := it.collects(fr, p, "dict")
					it.setKey(w.object, a.name, a.val)
					given[p.name] = true
				}
			}
		case i < len(params) && params[i].star && !params[i].keywords:
			it.collects(fr, params[i], "tuple").object.elems.feed(a.val)
			given[params[i].name] = true
		case i < len(params):
			set(params[i], a.val)
			given[params[i].name] = true
			i++
		}
	}
	for _, p := range params {
		if given[p.name] {
			continue
		}
		if p.deflt != pysyntax.None {
			set(p, it.deflt(d, p, o.outer))
		} else {
			fr.vars.set(p.name, nothing)
		}
	}
}

// collects is the container that a parameter takes arguments into: the tuple of *args, the dictionary of **keywords.
func (it *interp) collects(fr *frame, p param, typ string) (w *value) {
	it.in(fr, func() { w = it.containerAt(p.node, typ) })
	fr.vars.set(p.name, w)
	return w
}

// takes reports whether the function has a parameter of this name.
func (d *fn) takes(name string) bool {
	for _, p := range d.params {
		if p.name == name {
			return true
		}
	}
	return false
}

// deflt is the default of a parameter: made once, when the function is defined.
func (it *interp) deflt(d *fn, p param, outer *frame) *value {
	if outer == nil {
		outer = it.global(d.unit)
	}
	if v := outer.memo[memoKey{p.deflt, keyContainer}]; v != nil {
		return v
	}
	var v *value
	loops := it.loops
	it.loops = outer.base
	it.in(outer, func() { v = it.expression(p.deflt) })
	it.loops = loops
	for _, o := range v.containers() {
		o.scope, o.path = Default, p.name
	}
	return v
}

// yields handles `yield v`: the function returns something that gives v when iterated over.
func (it *interp) yields(r pysyntax.Ref) *value {
	f := it.frame.unit.file
	w := it.expression(f.FirstChild(r))
	if len(it.frame.rets.containers()) == 0 {
		it.frame.rets = it.containerAt(r, "generator")
	}
	for _, o := range it.frame.rets.containers() {
		o.elems.feed(w)
	}
	return nothing
}

// note records a call of the file that is looked at.
func (it *interp) note(r pysyntax.Ref, name string, object *value, args []argument, result, fun *value) {
	if it.frame.unit != it.unit || it.facts == nil {
		return
	}
	it.facts.call(it, r, name, object, args, result, fun)
}

func methodName(name string) string { return "." + strings.TrimPrefix(name, ".") }
