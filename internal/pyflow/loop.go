package pyflow

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// turns returns the loop at r as it runs in this activation.
func (it *interp) turns(r pysyntax.Ref) *round {
	rd := it.frame.round[r]
	if rd == nil {
		rd = &round{outer: it.loops, loop: &Loop{Node: r}, unit: it.frame.unit}
		if it.loops != nil {
			rd.depth = it.loops.depth + 1
			rd.loop.Outer = it.loops.loop
		}
		it.frame.round[r] = rd
	}
	return rd
}

// loop runs a for or while statement twice, so that what one round leaves to the next is seen.
func (it *interp) loop(r pysyntax.Ref) {
	f := it.frame.unit.file
	var iterable *value
	right := f.Child(r, pysyntax.FieldRight)
	if right != pysyntax.None {
		iterable = it.expression(right)
	}
	rd := it.turns(r)
	if c := f.Child(r, pysyntax.FieldCondition); c != pysyntax.None && (f.Kind(c) == pysyntax.TrueValue || f.Says(c, "1")) {
		rd.endless = !breaks(f, r)
	}
	rd.feeds = it.feeds(it.frame.fn, "__iter__") && gives(f, r)
	it.repeat(rd, r, func() {
		if iterable != nil {
			rd.loader = rd.loader || it.loads(iterable)
			it.target(f.Child(r, pysyntax.FieldLeft), it.part(iterable, f.Child(r, pysyntax.FieldLeft)), r)
		} else if cond := f.Child(r, pysyntax.FieldCondition); cond != pysyntax.None {
			it.expression(cond)
		}
		it.block(f.Child(r, pysyntax.FieldBody))
	})
	if e := f.Child(r, pysyntax.FieldAlternative); e != pysyntax.None {
		it.block(f.Body(e))
	}
}

// breaks reports whether a loop is left by a break or a return before its holder's life ends.
func breaks(f *pysyntax.File, r pysyntax.Ref) bool {
	for c := range f.Walk(r) {
		if f.Kind(c) == pysyntax.BreakStatement {
			return true
		}
	}
	return false
}

// repeat runs body within rd, again where rounds are not too deep already.
func (it *interp) repeat(rd *round, r pysyntax.Ref, body func()) {
	fr, outer, cond := it.frame, it.loops, it.cond
	before := fr.vars
	passes := 2
	if rd.depth > 4 || rd.runs > 0 {
		passes = 1
	}
	rd.runs++
	if rd.runs > 4 {
		return
	}
	it.loops, it.cond = rd, 0
	for range passes {
		start, last := before.over(), fr.vars
		last.changed(before, func(name string) {
			if v, now := before.get(name), last.get(name); v != nil && now != nil && now != v {
				start.set(name, it.joined(r, name, v, now))
			}
		})
		fr.vars = start
		body()
		fr.done = false
	}
	before.absorb(fr.vars)
	fr.vars = before
	it.loops, it.cond = outer, cond
	if outer != nil && (rd.trains || rd.inner) {
		outer.inner = true
	}
}

// loads reports whether iterating over v gives batches of a data loader.
func (it *interp) loads(v *value) bool {
	return v.reaches(LoaderValue, 4, visited{})
}

// reaches reports whether v or what it is made of in a few steps has the trait.
func (v *value) reaches(t Trait, depth int, seen visited) bool {
	if v == nil || depth == 0 || !seen.first(v) {
		return false
	}
	if v.traits&t != 0 {
		return true
	}
	if v.op == opCopy || v.op == opCall || v.op == opMoved {
		for i, w := range v.in {
			if v.op == opCall && i == 0 {
				continue
			}
			if w.reaches(t, depth-1, seen) {
				return true
			}
		}
	}
	return false
}

// gives reports whether a loop yields something in its rounds.
func gives(f *pysyntax.File, r pysyntax.Ref) bool {
	for c := range f.Walk(r) {
		if f.Kind(c) == pysyntax.Yield {
			return true
		}
	}
	return false
}

// part is one of the elements of v, read at r.
func (it *interp) part(v *value, r pysyntax.Ref) *value {
	for _, o := range v.containers() {
		if len(o.parts) > 0 && o.stores == 0 {
			return it.keyed(memoKey{r, keyPart + 50}, opCopy, o.parts...)
		}
	}
	w := it.keyed(memoKey{r, keyPart}, opElem, v)
	w.each = true
	return w
}

// comprehension runs a list, set or dictionary comprehension or a generator and returns the container.
func (it *interp) comprehension(r pysyntax.Ref) *value {
	f, fr := it.frame.unit.file, it.frame
	was := fr.vars
	fr.vars = was.over()
	outer, cond := it.loops, it.cond
	var first *value
	for c := range f.Children(r) {
		if f.Kind(c) == pysyntax.ForInClause {
			v := it.expression(f.Child(c, pysyntax.FieldRight))
			if first == nil {
				first = v
				it.loops = it.turns(r)
				it.loops.loader = it.loops.loader || it.loads(v)
			}
			left := f.Child(c, pysyntax.FieldLeft)
			it.target(left, it.part(v, left), c)
		} else if f.Kind(c) == pysyntax.IfClause {
			it.expression(f.FirstChild(c))
		}
	}
	body := f.Child(r, pysyntax.FieldBody)
	var elem *value
	if f.Kind(body) == pysyntax.Pair {
		it.expression(f.Child(body, pysyntax.FieldKey))
		elem = it.expression(f.Child(body, pysyntax.FieldValue))
	} else {
		elem = it.expression(body)
	}
	turns := it.loops
	it.loops, it.cond = outer, cond
	fr.vars = was
	typ := "list"
	switch f.Kind(r) {
	case pysyntax.SetComprehension:
		typ = "set"
	case pysyntax.DictionaryComprehension:
		typ = "dict"
	}
	v := it.containerAt(r, typ)
	v.object.elems.feed(elem)
	if typ == "list" && f.Kind(body) == pysyntax.Call {
		it.loops = turns
		it.store(&event{at: f.Statement(r), value: body, what: elem, holder: v.object, path: it.called(r), how: Appended, gathered: true})
		it.loops = outer
	}
	return v
}

// called is the name that what stands at r gets, "[…]" where it has none.
func (it *interp) called(r pysyntax.Ref) string {
	f := it.frame.unit.file
	if a := f.Parent(r); f.Is(a, pysyntax.Assignment) && f.Child(a, pysyntax.FieldRight) == r {
		return f.Text(f.Child(a, pysyntax.FieldLeft))
	}
	return "[…]"
}

// containerAt is the container that the expression at r makes.
func (it *interp) containerAt(r pysyntax.Ref, typ string) *value {
	key := memoKey{r, keyContainer}
	v := it.frame.memo[key]
	if v == nil {
		v = it.make(r, opFixed)
		v.object = &object{kind: container, typ: typ, made: r, unit: it.frame.unit, loops: it.loops, elems: it.make(r, opCopy), keys: map[string]*value{}}
		it.frame.memo[key] = v
	}
	return v
}

func (it *interp) with(r pysyntax.Ref) {
	f := it.frame.unit.file
	noGrad := it.noGrad
	for c := range f.Children(f.FirstChild(r)) {
		if f.Kind(c) != pysyntax.WithItem {
			continue
		}
		item := f.FirstChild(c)
		alias := pysyntax.None
		if f.Kind(item) == pysyntax.AsPattern {
			alias = f.Child(item, pysyntax.FieldAlias)
			item = f.FirstChild(item)
		}
		v := it.expression(item)
		if v.name != "" {
			it.gradMode(v)
		}
		if alias != pysyntax.None {
			it.target(f.FirstChild(alias), v, r)
		}
	}
	it.block(f.Child(r, pysyntax.FieldBody))
	it.noGrad = noGrad
}

// gradMode switches gradients as the context manager v does.
func (it *interp) gradMode(v *value) {
	if name := v.name; name != "torch.no_grad()" && (strings.Contains(name, "no_grad") || strings.Contains(name, "inference_mode")) && !strings.HasPrefix(name, "torch.") {
		it.noGrad = true
	}
	switch strings.TrimSuffix(v.name, "()") {
	case "torch.no_grad", "torch.inference_mode":
		it.noGrad = true
	case "torch.enable_grad":
		it.noGrad = false
	case "torch.set_grad_enabled":
		it.noGrad = v.mark != gradOn
	}
}

// gradOn marks set_grad_enabled(True).
const gradOn = -8
