package pyflow

import (
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// subscript returns the value of `object[index]`.
func (it *interp) subscript(r pysyntax.Ref) *value {
	f := it.frame.unit.file
	v := it.expression(f.Child(r, pysyntax.FieldValue))
	index := f.Child(r, pysyntax.FieldSubscript)
	it.expression(index)
	if v == number {
		return number
	}
	partly, tensor := cuts(f, r, index)
	if held := v.containers(); len(held) > 0 {
		if f.Kind(index) == pysyntax.Slice {
			return it.sliced(r, v)
		}
		if w := it.entry(held, constant(f, index)); w != nil {
			return w
		}
	}
	w := it.at(r, opElem, v)
	w.partly, w.sure = partly, tensor
	w.single = f.Kind(index) != pysyntax.Slice && f.Kind(index) != pysyntax.String && !tensor
	if tensor {
		it.tensorish(v)
	}
	return w
}

// entry is what the containers have under a literal key or index.
func (it *interp) entry(held []*object, key string) *value {
	if key == "" {
		return nil
	}
	for _, o := range held {
		if w := o.keys[key]; w != nil {
			return w
		}
		if len(key) == 1 && o.stores == 0 {
			if i := int(key[0] - '0'); i >= 0 && i < len(o.parts) {
				return o.parts[i]
			}
		}
	}
	return nil
}

// sliced is a new list with some of what is in v.
func (it *interp) sliced(r pysyntax.Ref, v *value) *value {
	w := it.containerAt(r, "list")
	for _, o := range v.containers() {
		if o != w.object {
			w.object.elems.feed(o.elems)
		}
	}
	return w
}

// cuts reports whether an index takes a part of a tensor that shares its storage: a slice with a bound, or a
// number. Masks and lists of numbers copy. An index of several parts is one into a tensor.
func cuts(f *pysyntax.File, r, index pysyntax.Ref) (partly, tuple bool) {
	for c := range f.Children(r) {
		if f.Node(c).Field != pysyntax.FieldSubscript {
			continue
		}
		if c != index {
			tuple = true
		}
		parts := []pysyntax.Ref{c}
		if f.Kind(c) == pysyntax.Tuple {
			tuple, parts = true, parts[:0]
			for p := range f.Children(c) {
				parts = append(parts, p)
			}
		}
		for _, p := range parts {
			switch f.Kind(p) {
			case pysyntax.Slice:
				partly = partly || len(strings.Trim(f.Text(p), ": ")) > 0 && !strings.HasPrefix(f.Text(p), "::")
			case pysyntax.Integer, pysyntax.UnaryOperator:
				partly = true
			case pysyntax.Ellipsis, pysyntax.NoneValue:
			default:
				return false, false
			}
		}
	}
	return partly, tuple && partly
}

// held returns v with a container behind it, made up where v is something from elsewhere.
func (it *interp) held(v *value) *value {
	if len(v.containers()) > 0 || v == nothing || v == number {
		return v
	}
	if v.op == opElem {
		for _, o := range v.in[0].containers() {
			w := it.made("list", o.loops)
			w.object.enter(o)
			w.object.path, w.object.scope = o.path, o.scope
			o.elems.feed(w)
			return w
		}
	}
	root := v.source()
	if root.shared() || root.sure || root.object != nil || root.traits&(Tensor|Number|Net|Graph) != 0 {
		return v
	}
	if root.op != opFixed && root.op != opElem {
		return v
	}
	root.object = it.made("", root.loops).object
	root.object.path, root.object.scope, root.object.unknown = root.path, root.scope, true
	if root.op == opElem && len(root.in) > 0 {
		if up := it.held(root.in[0]).containers(); len(up) > 0 {
			root.object.enter(up[0])
			root.object.path, root.object.loops = up[0].path, up[0].loops
		}
	}
	return v
}

func (it *interp) made(typ string, loops *round) *value {
	v := it.make(0, opFixed)
	v.object = &object{kind: container, typ: typ, unit: it.frame.unit, loops: loops, elems: it.make(0, opCopy), keys: map[string]*value{}}
	return v
}

// setItem runs `object[key] = v`.
func (it *interp) setItem(r pysyntax.Ref, v *value, stmt pysyntax.Ref) {
	f := it.frame.unit.file
	left := f.Child(r, pysyntax.FieldValue)
	object := it.expression(left)
	index := f.Child(r, pysyntax.FieldSubscript)
	it.expression(index)
	if f.Kind(index) == pysyntax.Slice {
		it.empties(object)
		for _, o := range object.containers() {
			for _, from := range v.containers() {
				o.elems.feed(from.elems)
			}
		}
		return
	}
	if o := object.instance(); o != nil && o.class != nil {
		if m := it.method(o.class, "__setitem__", 0); m != nil {
			it.inline(&boundMethod{fn: m, outer: it.global(m.unit), self: object}, []argument{{val: nothing, node: index}, {val: v, node: f.Child(stmt, pysyntax.FieldRight)}}, stmt)
			return
		}
	}
	if object.traits&(Tensor|Number) != 0 || object.source().sure || object.op == opCompute || object.op == opCall || object.op == opCut {
		return
	}
	object = it.held(object)
	key := constant(f, index)
	keys, moving := it.keyValues(index)
	for _, o := range object.containers() {
		if o.typ == "tuple" {
			continue // the default () of an argument that gets a list
		}
		o.adopt(v)
		if key != "" {
			it.setKey(o, key, v)
		} else {
			o.elems.feed(v)
			o.stores++
		}
		if len(v.containers()) == 0 || !v.empty() {
			it.store(&event{at: f.Statement(stmt), value: f.Child(stmt, pysyntax.FieldRight), what: v, holder: o, path: f.Text(left), how: Keyed, keys: keys, moving: moving})
		}
		name := "[" + f.Text(index) + "]"
		if walks(f, stmt, index) {
			name = walking + f.Name(f.Function(stmt)) // other entries than those given elsewhere under a key of that name
		}
		it.carried(slot{object: o, name: name}, nil, v, r, stmt)
	}
}

// walking begins the name of the entries that one statement goes through.
const walking = "entries of "

// walks reports whether the loop around a statement moves the key on by itself, as up the nodes of a tree.
func walks(f *pysyntax.File, stmt, key pysyntax.Ref) bool {
	loop := f.Enclosing(stmt, pysyntax.WhileStatement)
	if f.Kind(key) != pysyntax.Identifier || loop == pysyntax.None || f.Function(loop) != f.Function(stmt) {
		return false
	}
	for r := range f.Walk(loop) {
		if f.Is(r, pysyntax.Assignment, pysyntax.AugmentedAssignment) && f.Says(f.Child(r, pysyntax.FieldLeft), f.Text(key)) {
			return true
		}
	}
	return false
}

type boundMethod = object

// empty reports whether v is a container that nothing is put into when it is made.
func (v *value) empty() bool {
	for _, o := range v.containers() {
		if len(o.elems.in) > 0 {
			return false
		}
	}
	return true
}

// keyValues returns the values that a key is made of, and whether it is surely another one each time.
func (it *interp) keyValues(index pysyntax.Ref) (keys []*value, moving bool) {
	f := it.frame.unit.file
	skip := pysyntax.None // what stands below an attribute is not part of the key
	for c := range f.Walk(index) {
		if c < skip {
			continue
		}
		switch f.Kind(c) {
		case pysyntax.Identifier:
			if f.Node(c).Field != pysyntax.FieldAttribute && f.Node(c).Field != pysyntax.FieldFunction {
				keys = append(keys, it.expression(c))
			}
		case pysyntax.Attribute:
			keys = append(keys, it.expression(c))
			skip = f.Node(c).After
		case pysyntax.BinaryOperator:
			if f.Says(f.Child(c, pysyntax.FieldOperator), "%") && !f.Is(f.Child(c, pysyntax.FieldLeft), pysyntax.String) {
				return nil, false
			}
		case pysyntax.Call:
			switch f.Text(f.Child(c, pysyntax.FieldFunction)) {
			case "len", "id", "time.time", "uuid.uuid4", "time.perf_counter", "hash":
				moving = true
			}
		}
	}
	return keys, moving
}

// scopeOf says where the variable that a path begins with lives.
func (it *interp) scopeOf(path string) Scope {
	name := path
	if i := strings.IndexAny(path, ".[("); i >= 0 {
		if path[i] == '.' {
			return Attribute
		}
		name = path[:i]
	}
	fr := it.frame
	if fr.vars.get(name) != nil && !fr.names[name] {
		if fr.fn == nil {
			return Global
		}
		return Local
	}
	for f := fr.outer; f != nil; f = f.outer {
		if f.vars.get(name) != nil && f.fn != nil {
			return Closure
		}
	}
	return Global
}

// forwards reports whether the code runs as part of a module's forward: loops there are no steps.
func (it *interp) forwards() bool {
	for d := range it.active {
		if it.active[d] > 0 && d.name == "forward" {
			return true
		}
	}
	return false
}

// store notes that a value is put somewhere, to be judged later.
func (it *interp) store(e *event) {
	if len(it.stores) >= maxEvents {
		return
	}
	if it.repeated(deed{e.value, e.what, e.holder, "store", it.loops}) {
		it.rekeyed(e)
		return
	}
	e.unit, e.fn, e.loops, e.eval = it.frame.unit, it.frame.fn, it.loops, it.eval && !it.forwards()
	e.noGrad = it.noGrad && !e.what.pending()
	if e.scope == Local {
		e.scope = it.scopeOf(e.path)
	}
	e.via = it.viaNow()
	e.cond = it.cond > 0
	f := it.frame.unit.file
	for _, g := range it.guards {
		text := f.Text(g)
		e.guard = e.guard || strings.Contains(text, " not in ")
		e.capped = e.capped || text == "not "+e.path || strings.Contains(text, "len("+e.path+")")
	}
	it.stores = append(it.stores, e)
}

// pending reports whether v is the result of another thread, which makes a graph whatever is switched off here.
func (v *value) pending() bool {
	return slices.ContainsFunc(v.containers(), func(o *object) bool { return o.typ == "future" })
}

// rekeyed adds the keys that a store has when it is gone through once more: only then is it seen that they are counted.
func (it *interp) rekeyed(e *event) {
	for i := len(it.stores) - 1; i >= 0 && len(e.keys) > 0; i-- {
		if old := it.stores[i]; old.value == e.value && old.what == e.what && old.holder == e.holder && old.loops == it.loops {
			if len(old.keys) < 8 {
				old.keys = append(old.keys, e.keys...)
			}
			return
		}
	}
}

// extend runs `left += v` and left.extend(v) on containers.
func (it *interp) extend(left, v *value, node, right, stmt pysyntax.Ref) {
	f := it.frame.unit.file
	if f.Is(right, pysyntax.List, pysyntax.Tuple, pysyntax.Set) {
		it.appendEach(left, node, right, pysyntax.None, stmt)
		return
	}
	elems := it.part(v, right)
	for _, o := range left.containers() {
		o.elems.feed(elems)
		o.stores++
		it.store(&event{at: f.Statement(stmt), value: right, what: elems, holder: o, path: f.Text(node), how: Appended})
	}
}

// appendEach puts what a display shows into the containers, but for what is unpacked of but.
func (it *interp) appendEach(left *value, node, display, but, stmt pysyntax.Ref) {
	f := it.frame.unit.file
	for c := range f.Children(display) {
		switch f.Kind(c) {
		case pysyntax.Comment:
		case pysyntax.ListSplat:
			if from := f.FirstChild(c); from != but {
				it.extend(left, it.expression(from), node, from, stmt)
			}
		default:
			it.append(left, it.expression(c), node, c, stmt)
		}
	}
}

// adopt notes that a container is an entry of another one from now on.
func (o *object) adopt(v *value) {
	for _, c := range v.containers() {
		if c.within == nil {
			c.enter(o)
		}
	}
}

// enter makes o an entry of holder, but never of itself: who walks outwards comes to an end.
func (o *object) enter(holder *object) {
	for w := holder; w != nil; w = w.within {
		if w == o {
			return
		}
	}
	o.within = holder
}

// append runs left.append(v) and its kin.
func (it *interp) append(left, v *value, node, right, call pysyntax.Ref) {
	f := it.frame.unit.file
	for _, o := range left.containers() {
		o.adopt(v)
		o.elems.feed(v)
		o.stores++
		it.store(&event{at: f.Statement(call), value: right, what: v, holder: o, path: f.Text(node), how: Appended})
	}
}
