package pyflow

import (
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// facts collects what is known of the functions of one file.
type facts struct {
	unit  *unit
	top   *Function
	byFn  map[*fn]*Function
	calls map[pysyntax.Ref]*noted
	order []*noted
	known map[storeKey]*Store
	rets  map[*fn][]*value // what functions were seen to return
}

type storeKey struct {
	at  pysyntax.Ref
	how How
}

// noted is a call with the values that are not known yet when it is seen.
type noted struct {
	call   *Call
	fn     *fn
	object *value
	args   []argument
	result *value
	fun    *value
	rd     *round
}

func newFacts(it *interp, u *unit) *facts {
	fc := &facts{unit: u, byFn: map[*fn]*Function{}, calls: map[pysyntax.Ref]*noted{}, known: map[storeKey]*Store{}, rets: map[*fn][]*value{}}
	fc.top = &Function{Name: "<module>", Role: TopLevel}
	for _, d := range u.order {
		fc.byFn[d] = &Function{Node: d.node, Name: d.qual, Role: it.roleOf(d), Mode: Mode{NoGrad: it.withoutGrad(d)}}
	}
	return fc
}

func (fc *facts) function(d *fn) *Function {
	if d == nil {
		return fc.top
	}
	if f := fc.byFn[d]; f != nil {
		return f
	}
	return fc.top
}

// store adds a store to the function that has it, the one that keeps most of the same statement.
func (fc *facts) store(u *unit, d *fn, s *Store) {
	f := fc.function(d)
	if u != fc.unit {
		f = fc.function(fc.unit.byNode[fc.unit.file.Function(s.At)])
	}
	key := storeKey{s.At, s.How}
	if old := fc.known[key]; old != nil {
		if weight(s) > weight(old) {
			*old = *s
		}
		return
	}
	fc.known[key] = s
	f.Stores = append(f.Stores, s)
}

// weight orders the ways in which one statement was seen to store.
func weight(s *Store) int {
	n := 0
	t := s.What.Traits | s.What.Parts
	if t&Graph != 0 {
		n += 4
		if t&Spent == 0 {
			n += 2
		}
	}
	if t&Tensor != 0 {
		n++
	}
	if s.Holder.Bounded || s.Holder.Emptied || s.Holder.Consumed {
		n -= 8
	}
	return n
}

func (fc *facts) call(it *interp, r pysyntax.Ref, name string, object *value, args []argument, result, fun *value) {
	if fc.calls[r] != nil {
		return
	}
	rd := it.loops
	n := &noted{call: &Call{Node: r, Name: name, Mode: Mode{NoGrad: it.noGrad, Evaluation: it.eval}}, fn: it.frame.fn, object: object, args: args, result: result, fun: fun, rd: rd}
	if rd != nil && rd.unit == it.unit && rd.loop.Node != 0 && it.unit.file.Within(r, rd.loop.Node) {
		n.call.Loop = rd.loop
	}
	fc.calls[r] = n
	fc.order = append(fc.order, n)
}

// returned notes what a function gives back where it remembers that.
func (fc *facts) returned(d *fn, v *value) {
	if v != nil && d.unit == fc.unit && d.remembers() {
		fc.rets[d] = append(fc.rets[d], v)
	}
}

// finish fills in what is known when all was solved.
func (fc *facts) finish(it *interp) []*Function {
	loops := map[*Loop]bool{}
	for _, n := range fc.order {
		c := n.call
		f := fc.function(n.fn)
		c.Function = f
		if n.object != nil {
			c.Object = it.export(n.object, 0, nil)
		}
		if n.result != nil {
			c.Result = it.export(n.result, 0, nil)
		}
		for _, a := range n.args {
			var parts Trait
			for _, o := range a.val.containers() {
				parts |= o.content(0)
			}
			c.Args = append(c.Args, Arg{Name: a.name, Node: a.node, What: it.export(a.val, parts, nil)})
		}
		if n.fun != nil && n.fun.object != nil && n.fun.object.fn != nil {
			d := n.fun.object.fn
			c.Callee = &Callee{File: d.unit.file, Node: d.node, Call: c.Node, From: fc.unit.file}
		}
		for rd := n.rd; rd != nil; rd = rd.outer {
			if rd.unit == fc.unit && !rd.repeat && rd.loop.Node != 0 {
				rd.loop.Trains = rd.loop.Trains || rd.trains
				rd.loop.Loader = rd.loop.Loader || rd.loader
				rd.loop.Epochs = rd.loop.Epochs || rd.inner
				if !loops[rd.loop] && fc.unit.byNode[fc.unit.file.Function(rd.loop.Node)] == n.fn {
					loops[rd.loop] = true
					f.Loops = append(f.Loops, rd.loop)
				}
			}
		}
		f.Calls = append(f.Calls, c)
	}
	all := []*Function{fc.top}
	for _, d := range fc.unit.order {
		f := fc.byFn[d]
		for _, v := range fc.rets[d] {
			f.Result.Traits |= v.traits
		}
		all = append(all, f)
	}
	return all
}
