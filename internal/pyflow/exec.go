package pyflow

import (
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// block runs the statements below r in order.
func (it *interp) block(r pysyntax.Ref) {
	f := it.frame.unit.file
	for c := f.FirstChild(r); c != pysyntax.None; c = f.NextSibling(c) {
		if it.frame.done || !it.spend() {
			return
		}
		it.statement(c)
	}
}

func (it *interp) statement(r pysyntax.Ref) {
	f := it.frame.unit.file
	switch f.Kind(r) {
	case pysyntax.ExpressionStatement:
		for c := range f.Children(r) {
			it.expression(c)
		}
	case pysyntax.IfStatement:
		it.branches(r)
	case pysyntax.ForStatement, pysyntax.WhileStatement:
		it.loop(r)
	case pysyntax.WithStatement:
		it.with(r)
	case pysyntax.TryStatement:
		it.try(r)
	case pysyntax.MatchStatement:
		it.match(r)
	case pysyntax.ReturnStatement:
		if c := f.FirstChild(r); c != pysyntax.None {
			it.frame.rets = it.either(it.frame.rets, it.expression(c), r)
		} else {
			it.frame.rets = it.either(it.frame.rets, number, r)
		}
		it.frame.done = true
	case pysyntax.RaiseStatement, pysyntax.AssertStatement:
		for c := range f.Children(r) {
			it.expression(c)
		}
		it.frame.done = f.Kind(r) == pysyntax.RaiseStatement
	case pysyntax.BreakStatement, pysyntax.ContinueStatement:
		it.frame.done = true
	case pysyntax.DecoratedDefinition:
		it.statement(f.Child(r, pysyntax.FieldDefinition))
	case pysyntax.FunctionDefinition:
		it.define(r)
	case pysyntax.GlobalStatement, pysyntax.NonlocalStatement:
		it.declare(r)
	case pysyntax.DeleteStatement:
		it.delete(r)
	case pysyntax.Block, pysyntax.ElseClause, pysyntax.FinallyClause:
		it.block(r)
	case pysyntax.ImportStatement, pysyntax.ImportFromStatement, pysyntax.ClassDefinition, pysyntax.Comment, pysyntax.PassStatement:
	default:
		it.expression(r)
	}
}

func (it *interp) declare(r pysyntax.Ref) {
	f, fr := it.frame.unit.file, it.frame
	set := &fr.names
	if f.Kind(r) == pysyntax.NonlocalStatement {
		set = &fr.non
	}
	if *set == nil {
		*set = map[string]bool{}
	}
	for c := range f.Children(r) {
		(*set)[f.Text(c)] = true
	}
}

func (it *interp) define(r pysyntax.Ref) {
	u := it.frame.unit
	d := u.byNode[r]
	if d == nil {
		return
	}
	it.bind(d.name, it.closure(d, r))
}

// closure is the function object that a definition or lambda makes.
func (it *interp) closure(d *fn, r pysyntax.Ref) *value {
	v := it.at(r, opFixed)
	if v.object == nil {
		v.traits |= Callable
		v.object = &object{kind: function, fn: d, outer: it.frame, unit: d.unit, made: r, loops: it.loops}
	}
	return v
}

// way runs do as one of several ways and returns the variables behind it, nil where it never gets there.
func (it *interp) way(do func()) *variables {
	fr := it.frame
	was, done := fr.vars, fr.done
	fr.vars = was.over()
	fr.done = false
	it.cond++
	do()
	it.cond--
	after := fr.vars
	if fr.done {
		after = nil
	}
	fr.vars, fr.done = was, done
	return after
}

// joinWays lets the variables be what any of the ways left them, all of which began with the variables as they are now.
func (it *interp) joinWays(r pysyntax.Ref, ways ...*variables) {
	base := it.frame.vars
	var live []*variables
	for _, w := range ways {
		if w != nil {
			live = append(live, w)
		}
	}
	if len(live) == 0 {
		it.frame.done = true
		return
	}
	all := base.over()
	for _, w := range live {
		w.changed(base, func(name string) {
			if _, joined := all.own[name]; !joined {
				all.set(name, it.joinedWays(r, name, live))
			}
		})
	}
	base.absorb(all)
}

// joinedWays is a variable as any of the ways left it.
func (it *interp) joinedWays(r pysyntax.Ref, name string, ways []*variables) *value {
	all := ways[0].get(name)
	for _, w := range ways[1:] {
		if v := w.get(name); v != nil && v != all {
			all = it.joined(r, name, all, v)
		}
	}
	return all
}

type joint struct {
	at   pysyntax.Ref
	name string
}

// joined is a or b, the same value each time this place is passed.
func (it *interp) joined(r pysyntax.Ref, name string, a, b *value) *value {
	if a == nil || a == b {
		return b
	}
	if b == nil {
		return a
	}
	if it.frame.back == nil {
		it.frame.back = map[joint]*value{}
	}
	key := joint{r, name}
	v := it.frame.back[key]
	if v == nil {
		v = it.make(r, opCopy, a, b)
		v.path, v.scope = a.path, a.scope
		it.frame.back[key] = v
		return v
	}
	if a != v {
		v.feed(a)
	}
	if b != v {
		v.feed(b)
	}
	return v
}

func (it *interp) branches(r pysyntax.Ref) {
	f := it.frame.unit.file
	cond := f.Child(r, pysyntax.FieldCondition)
	it.expression(cond)
	var ways []*variables
	ways = append(ways, it.way(func() {
		it.refine(cond, true)
		it.guarded(cond, func() { it.block(f.Child(r, pysyntax.FieldConsequence)) })
	}))
	rest := it.way(func() {
		it.refine(cond, false)
		it.others(r)
	})
	it.joinWays(r, append(ways, rest)...)
}

// others runs the elif and else clauses of an if statement.
func (it *interp) others(r pysyntax.Ref) {
	f := it.frame.unit.file
	var clauses []pysyntax.Ref
	for c := range f.Children(r) {
		if f.Is(c, pysyntax.ElifClause, pysyntax.ElseClause) {
			clauses = append(clauses, c)
		}
	}
	it.clauses(clauses)
}

func (it *interp) clauses(clauses []pysyntax.Ref) {
	if len(clauses) == 0 {
		return
	}
	f, c := it.frame.unit.file, clauses[0]
	if f.Kind(c) == pysyntax.ElseClause {
		it.block(f.Child(c, pysyntax.FieldBody))
		return
	}
	cond := f.Child(c, pysyntax.FieldCondition)
	it.expression(cond)
	then := it.way(func() {
		it.refine(cond, true)
		it.block(f.Child(c, pysyntax.FieldConsequence))
	})
	rest := it.way(func() { it.refine(cond, false); it.clauses(clauses[1:]) })
	it.joinWays(c, then, rest)
}

// guarded runs do with cond as a guard of what is stored.
func (it *interp) guarded(cond pysyntax.Ref, do func()) {
	it.guards = append(it.guards, cond)
	do()
	it.guards = it.guards[:len(it.guards)-1]
}

func (it *interp) match(r pysyntax.Ref) {
	f := it.frame.unit.file
	ways := []*variables{it.frame.vars.over()}
	for c := range f.Walk(r) {
		if f.Kind(c) == pysyntax.CaseClause && f.Function(c) == f.Function(r) {
			body := f.Body(c)
			ways = append(ways, it.way(func() { it.block(body) }))
		}
	}
	it.joinWays(r, ways...)
}

func (it *interp) try(r pysyntax.Ref) {
	f := it.frame.unit.file
	before := it.frame.vars
	it.frame.vars = before.over()
	it.block(f.Child(r, pysyntax.FieldBody))
	ended := it.frame.done
	it.frame.done = false
	good := it.frame.vars
	if ended {
		good = nil
	}
	ways := []*variables{good}
	for c := range f.Children(r) {
		if f.Kind(c) != pysyntax.ExceptClause {
			continue
		}
		it.frame.vars = before.over()
		if good != nil {
			it.frame.vars = good.over()
		}
		ways = append(ways, it.way(func() { it.except(c) }))
	}
	it.frame.vars = before
	it.joinWays(r, ways...)
	for c := range f.Children(r) {
		if f.Is(c, pysyntax.ElseClause, pysyntax.FinallyClause) {
			done := it.frame.done
			it.frame.done = false
			it.block(f.Body(c))
			it.frame.done = it.frame.done || done
		}
	}
}

func (it *interp) except(r pysyntax.Ref) {
	f := it.frame.unit.file
	for c := range f.Walk(r) {
		if f.Kind(c) == pysyntax.Block {
			break
		}
		if f.Kind(c) == pysyntax.AsPatternTarget || f.Node(c).Field == pysyntax.FieldAlias {
			v := it.at(c, opFixed)
			v.traits |= Exception
			name := f.Text(c)
			it.frame.vars.set(name, v)
			break
		}
	}
	it.block(f.Body(r))
}

func (it *interp) delete(r pysyntax.Ref) {
	f := it.frame.unit.file
	for c := range f.Children(r) {
		targets := []pysyntax.Ref{c}
		if f.Kind(c) == pysyntax.ExpressionList {
			targets = targets[:0]
			for t := range f.Children(c) {
				targets = append(targets, t)
			}
		}
		for _, t := range targets {
			switch f.Kind(t) {
			case pysyntax.Identifier:
				if v := it.frame.vars.get(f.Text(t)); v != nil {
					it.left(v, nothing)
					it.frame.vars.set(f.Text(t), nil)
				}
			case pysyntax.Subscript:
				it.empties(it.expression(f.Child(t, pysyntax.FieldValue)))
			}
		}
	}
}

// empties notes that something is taken out of a container here.
func (it *interp) empties(v *value) {
	for _, o := range it.held(v).containers() {
		o.emptied = append(o.emptied, it.loops)
	}
}
