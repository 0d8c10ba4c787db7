package pyflow

import (
	"strings"
	"sync"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Module follows the values of f and returns what is known of it.
func (x *Index) Module(f *pysyntax.File) *Module {
	u := x.unitOf(f)
	m := &Module{File: f, Torch: u.torch, Near: sync.OnceValue(func() []*pysyntax.File { return x.near(u, "") }),
		Defining: func(class string) []*pysyntax.File { return x.near(u, class) }}
	it := &interp{index: x, unit: u, units: map[*unit]*frame{}, active: map[*fn]int{}, seen: map[*fn]bool{}, missed: map[*fn]bool{}, far: map[*fn]int{}, had: map[deed]bool{}, slots: map[slot][]*carry{}, births: map[*class]*value{}, self: map[*object]bool{}, limit: maxSteps, journeys: maxSteps}
	it.facts = newFacts(it, u)
	it.frame = it.global(u)
	if _, other := u.imports["np"]; other && !u.torch && !contains(f.Source, list("torch")) {
		m.Functions = it.facts.finish(it)
		return m // arrays have no graph
	}
	it.block(pysyntax.None)
	it.frame.done = false
	for _, d := range u.order {
		if c := d.class; c != nil && u.classes[c.name] == c && it.worthy(c) {
			it.instance(c)
		}
	}
	for _, d := range u.order {
		if u.funcs[d.name] == d && !it.seen[d] && d.worth(Plain) && it.again(d) {
			it.root(d, nil)
		}
	}
	it.solve()
	it.judge()
	m.Functions, m.Left = it.facts.finish(it), len(it.missed)
	return m
}

// worthy reports whether a method of c that nobody was seen to call can hold a finding.
func (it *interp) worthy(c *class) bool {
	for _, d := range c.methods {
		if !it.seen[d] && d.worth(it.roleOf(d)) && (d.name != "__init__" || d.hooks()) {
			return true
		}
	}
	return false
}

// again gives the next root its share of the work, as long as there is any. Work is counted, not timed: what is found
// must not depend on the machine.
func (it *interp) again(d *fn) bool {
	it.over, it.noGrad, it.eval, it.loops, it.cond = false, false, false, nil, 0
	it.via, it.guards = nil, nil
	it.limit, it.journeys = it.steps+maxSteps, maxSteps
	it.frame = it.global(it.unit)
	if it.steps < maxTotal && it.count < maxValues && len(it.stores) < maxEvents && len(it.cycles) < maxEvents && len(it.backs) < maxEvents {
		return true
	}
	it.missed[d] = true
	return false
}

// withoutGrad reports whether d runs without gradients whoever calls it.
func (it *interp) withoutGrad(d *fn) bool {
	if gradOff(d.marks) || d.class != nil && it.roleOf(d) == EvaluationStep && it.isLightning(d.class) {
		return true
	}
	if d.name == "forward" || d.name == "__init__" || d.name == "__call__" {
		return false
	}
	it.index.mu.RLock()
	defer it.index.mu.RUnlock()
	c := it.index.callers[d.name]
	return c != nil && c.grad == 0 && c.noGrad > 0
}

// instance goes through the methods of a class of which nobody in sight makes an instance that calls them.
func (it *interp) instance(c *class) {
	var self *value
	if m := c.methods["__init__"]; m != nil && m.hooks() && !it.seen[m] && it.again(m) {
		self = it.imagined(c)
	}
	for pass := range 2 {
		for _, d := range c.unit.order {
			if d.class != c || it.seen[d] || d.name == "__init__" || pass == 0 && d.called || !d.worth(it.roleOf(d)) || !it.again(d) {
				continue
			}
			if self == nil {
				self = it.imagined(c)
			}
			it.root(d, self)
		}
	}
}

// imagined is an instance of c made out of sight, or the one that is in sight though not what becomes of it.
func (it *interp) imagined(c *class) *value {
	if v := it.births[c]; v != nil {
		it.self[v.object] = true
		return v
	}
	v := it.make(c.node, opFixed)
	v.traits, v.loops = Owner, nil
	if it.isModule(c) {
		v.traits |= Net
	}
	v.object = &object{kind: instance, class: c, made: c.node, unit: c.unit, fields: map[string]*value{}}
	it.self[v.object] = true
	it.beginning(v, c)
	return v
}

// beginning runs __init__ of an instance with arguments that nobody knows.
func (it *interp) beginning(v *value, c *class) {
	m := it.method(c, "__init__", 0)
	if m == nil || it.active[m] > 0 || it.depth >= maxDepth {
		return
	}
	fr := newFrame(m.unit, m, it.global(m.unit))
	it.depth++
	it.active[m]++
	it.strangers(fr, m, v)
	it.in(fr, func() { it.body(m) })
	it.active[m]--
	it.depth--
	it.seen[m] = true
}

// noted returns the class of the source that an annotation names, nil for others.
func (it *interp) noted(u *unit, note string) *class {
	note = strings.Trim(strings.TrimSuffix(strings.TrimPrefix(note, "Optional["), "]"), "\"'")
	if note == "" || plainNote(note) {
		return nil
	}
	if c := u.classes[note]; c != nil {
		return c
	}
	if q, ok := u.imports[note]; ok && !external(q) {
		if module, name, ok := cutLast(q); ok {
			if other := it.index.find(u, module); other != nil {
				return other.classes[name]
			}
		}
	}
	return nil
}

// root goes through a function about whose callers nothing is known.
func (it *interp) root(d *fn, self *value) {
	it.seen[d] = true
	role := it.roleOf(d)
	rd := &round{loop: &Loop{}, unit: d.unit, repeat: role == Forward || role == TrainingStep || role == EvaluationStep || role == FunctionForward || d.acts()}
	rd.feeds = it.feeds(d, "__getitem__")
	fr := newFrame(d.unit, d, it.global(d.unit))
	fr.base = rd
	it.noGrad = it.withoutGrad(d)
	if !static(d) {
		it.strangers(fr, d, self)
	} else {
		it.strangers(fr, d, nil)
	}
	before := len(it.backs)
	it.active[d]++
	it.depth++
	it.in(fr, func() { it.repeat(rd, d.node, func() { it.body(d) }) })
	it.depth--
	it.active[d]--
	it.facts.returned(d, fr.rets)
	if it.over {
		it.missed[d] = true
	}
	for _, h := range handles(fr.rets) {
		for _, hook := range h.hooks {
			hook.lent = true // the caller may have both: the handle, and what the hook adds to
		}
	}
	for _, b := range it.backs[before:] {
		rd.repeat = rd.repeat || b.loops == rd
	}
	if !rd.repeat {
		rd.trains = false
	}
	if role == TrainingStep {
		rd.trains = true
		it.backs = append(it.backs, backEvent{what: it.lossOf(fr.rets), loops: rd})
	}
}

// lossOf is what a framework calls backward on: what a training step returns, or what that has under "loss".
func (it *interp) lossOf(v *value) *value {
	for _, o := range v.containers() {
		if w := o.keys["loss"]; w != nil {
			return w
		}
		if len(o.parts) > 0 {
			return o.parts[0]
		}
	}
	if v == nil {
		return nothing
	}
	return v
}

func static(d *fn) bool {
	for _, m := range d.marks {
		if m == "staticmethod" {
			return true
		}
	}
	return false
}

// strangers gives the parameters of a function values of which only its role says something.
func (it *interp) strangers(fr *frame, d *fn, self *value) {
	role := it.roleOf(d)
	for i, p := range d.params {
		if i == 0 && self != nil {
			fr.vars.set(p.name, self)
			continue
		}
		if p.deflt != pysyntax.None && d.unit.file.Is(p.deflt, pysyntax.List, pysyntax.Dictionary, pysyntax.Set, pysyntax.Call) {
			fr.vars.set(p.name, it.deflt(d, p, fr.outer))
			continue
		}
		v := it.make(p.node, opFixed)
		v.unit, v.loops, v.path, v.scope = d.unit, nil, p.name, Argument
		plain := plainNote(p.note) || p.deflt != pysyntax.None && d.unit.file.Kind(p.deflt) != pysyntax.NoneValue || p.star
		switch {
		case plain && p.note != "" && plainNote(p.note):
			v.traits = Number
		case d.name == "compute_loss" && role == TrainingStep && i == 1:
			v.traits = Net
		case role == Forward && !plain:
			v.traits = Tensor | Graph | Activation
		case (role == TrainingStep || role == EvaluationStep) && strings.HasPrefix(p.name, "batch") && !strings.HasSuffix(p.name, "idx"):
			v.traits = Batch
		}
		if p.star {
			v = it.fresh(fr, p)
		} else if c := it.noted(d.unit, p.note); c != nil && v.traits == 0 {
			v.traits = Owner
			if it.isModule(c) {
				v.traits |= Net
			}
			v.object = &object{kind: instance, class: c, made: p.node, unit: d.unit, unknown: true, fields: map[string]*value{}}
			it.self[v.object] = true
			it.beginning(v, c)
		} else if v.traits == 0 && it.index.isLoss(d.name, p.name, i, self != nil || d.class != nil) {
			v.traits = Differs
		}
		fr.vars.set(p.name, v)
	}
}

// fresh is what *args or **kwargs are: a container that each call makes anew.
func (it *interp) fresh(fr *frame, p param) *value {
	v := it.made("dict", fr.base)
	v.object.made, v.object.path = p.node, p.name
	return v
}

// plainNote reports whether an annotation means numbers or strings.
func plainNote(note string) bool {
	switch strings.TrimSuffix(strings.TrimPrefix(note, "Optional["), "]") {
	case "int", "float", "bool", "str", "bytes", "int | None", "float | None", "str | None", "bool | None":
		return true
	}
	return false
}

// hook goes through a function that is registered as a hook: it is called again and again with tensors.
func (it *interp) hook(r pysyntax.Ref, fun *value, name string) (rounds []*round) {
	for _, o := range fun.objects() {
		if o.kind == instance && o.class != nil {
			if m := it.method(o.class, "__call__", 0); m != nil {
				o = &object{kind: function, fn: m, outer: it.global(m.unit), self: fun}
			}
		}
		if o.kind != function || o.fn == nil || it.active[o.fn] > 0 || it.depth >= maxDepth {
			continue
		}
		d := o.fn
		it.seen[d] = true
		if f := it.facts.byFn[d]; f != nil {
			f.Role = Hook
		}
		rd := &round{outer: it.loops, loop: &Loop{}, unit: d.unit, repeat: true}
		rounds = append(rounds, rd)
		if it.loops != nil {
			rd.depth = it.loops.depth + 1
		}
		fr := newFrame(d.unit, d, o.outer)
		fr.base = rd
		params := d.params
		if o.self != nil && len(params) > 0 {
			fr.vars.set(params[0].name, o.self)
			params = params[1:]
		}
		for _, b := range o.bound {
			if b.name == "" && len(params) > 0 {
				fr.vars.set(params[0].name, b.val)
				params = params[1:]
			}
		}
		it.hooked(fr, params, name)
		for _, b := range o.bound {
			if b.name != "" {
				fr.vars.set(b.name, b.val)
			}
		}
		noGrad, loops, via := it.noGrad, it.loops, it.via
		it.noGrad, it.via = gradOff(d.marks), nil
		it.depth++
		it.active[d]++
		it.in(fr, func() { it.repeat(rd, d.node, func() { it.body(d) }) })
		it.active[d]--
		it.depth--
		it.noGrad, it.loops, it.via = noGrad, loops, via
	}
	return rounds
}

// hooked gives a hook what hooks of its kind are given.
func (it *interp) hooked(fr *frame, params []param, name string) {
	backward := strings.Contains(name, "backward") || name == "register_hook" || name == "register_post_accumulate_grad_hook"
	for i, p := range params {
		v := it.make(p.node, opFixed)
		v.unit, v.path, v.scope, v.loops = fr.unit, p.name, Argument, nil
		switch {
		case name == "register_hook":
			v.traits = Tensor | Activation
		case i == 0:
		case backward:
			v.traits = Tensor | Activation
		default:
			v.traits = Tensor | Graph | Activation
		}
		fr.vars.set(p.name, v)
	}
}
