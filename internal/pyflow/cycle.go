package pyflow

import (
	"maps"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// way is how a value is made from itself.
type way struct {
	binary, times, joins, called, partly, found bool
}

// moves reports whether what is made from itself is only a part or a copy of it: nothing new is joined to its graph.
func (p way) moves() bool { return !p.binary && !p.joins && !p.called }

// fromItself finds a way from v back to v through values with a graph.
func (it *interp) fromItself(v *value, need Trait) way {
	seen := visited{}
	var visit func(w *value, p way, depth int) way
	visit = func(w *value, p way, depth int) way {
		if w == nil || depth > 60 || len(seen) > maxVisited || it.looks > maxLooks {
			return way{}
		}
		if w.traits&need == 0 || need == Graph && (w.op == opCut || w.noGrad && w.op != opCopy && w.op != opElem || severed(w, v)) {
			return way{}
		}
		it.looks++
		switch {
		case w.op == opCall:
			p.called = true
		case w.op == opCompute && w.joins:
			p.joins = true
		case w.op == opCompute && w.binary:
			p.binary = true
			p.times = p.times || w.times
		case w.op == opCompute:
			p.called = true
		case w.op == opElem:
			p.partly = p.partly || w.partly
		}
		for _, x := range w.in {
			if x == v {
				p.found = true
				return p
			}
		}
		for _, x := range w.in {
			if seen[x] {
				continue
			}
			seen[x] = true
			if q := visit(x, p, depth+1); q.found {
				return q
			}
		}
		if w.op == opElem || w.op == opCompute || w.op == opCall {
			for _, x := range w.in {
				for _, o := range x.containers() {
					for _, y := range append([]*value{o.elems}, o.elems.in...) {
						if y == v {
							p.found = true
							return p
						}
						if !seen[y] {
							seen[y] = true
							if q := visit(y, p, depth+1); q.found {
								return q
							}
						}
					}
				}
			}
		}
		return way{}
	}
	return visit(v, way{}, 0)
}

// severed reports whether one of the ways that join in w cuts the graph of what is made from itself.
func severed(w, v *value) bool {
	if w.op != opCopy {
		return false
	}
	for _, x := range w.in {
		if x.op == opCut && x.partly && upstream(x.in[0], v) {
			return true
		}
	}
	return false
}

// upstream reports whether v is made from w.
func upstream(v, w *value) bool {
	seen := visited{}
	var visit func(x *value, depth int) bool
	visit = func(x *value, depth int) bool {
		if x == w {
			return true
		}
		if x == nil || depth > 60 || x.op == opCut || !seen.first(x) {
			return false
		}
		for _, y := range x.in {
			if visit(y, depth+1) {
				return true
			}
		}
		for _, o := range x.containers() {
			if visit(o.elems, depth+1) {
				return true
			}
		}
		return false
	}
	return visit(v, 0)
}

// cycle is an assignment of a value that was made from the one of the round before, nil for others.
func (it *interp) cycle(c *carry) *Store {
	v := c.what
	need := Graph
	if v.traits&Graph == 0 {
		need = Tensor
	}
	if v.traits&need == 0 {
		return nil
	}
	p := it.fromItself(v, need)
	if !p.found || p.moves() || need == Tensor && (!p.joins || p.partly || p.called) {
		return nil
	}
	rd, _ := it.grows(c, v)
	if rd == nil {
		return nil
	}
	for _, m := range v.backed {
		if !m.in(rd) {
			return nil
		}
	}
	s := c.store("tensor", rd)
	switch {
	case p.joins && !p.called && !p.partly:
		s.How = Concats
	case p.binary && !p.times && !p.called:
		s.How = Summed
		if v.addsUnsure() {
			return nil
		}
	default:
		s.How = Carried
	}
	s.What = it.export(v, 0, rd)
	s.Term = it.term(c)
	s.Made = it.origin(v, it.unit).at()
	s = it.within(s, v, c.unit, rd)
	if s != nil && c.unit != it.unit && len(s.Shown) == 0 && strings.HasPrefix(c.slot.name, walking) {
		return nil // another call hands it the graph
	}
	return s
}

// grows returns the round over which an assignment builds upon the one before, where part of it, or all, is made from
// that, and the rounds in which something sets the slot anew; nil where that is in this one.
func (it *interp) grows(c *carry, part *value) (rd *round, resets []*round) {
	for _, other := range it.slots[c.slot] {
		if other.what != c.what && !other.first && !upstream(other.what, c.what) {
			resets = append(resets, other.loops)
		}
	}
	if c.slot.object != nil {
		resets = append(resets, c.slot.object.emptied...)
	}
	rd = outlived(c.loops, c.born, resets, c.eval && !c.noGrad, nil)
	if rd == nil || c.slot.frame == c.frame && c.slot.frame != nil && !overRound(c, part, rd) {
		return nil, resets
	}
	if rd.loop.Node == pysyntax.None && c.scope == Attribute && it.renews(c.slot, c.path) {
		return nil, resets
	}
	return rd, resets
}

// store is what an assignment puts into its slot again and again in rd.
func (c *carry) store(typ string, rd *round) *Store {
	return &Store{At: c.at, Value: c.right, Holder: &Holder{Path: c.path, Scope: c.scope, Type: typ}, Loop: rd.loop, Again: true, Via: c.via,
		If: c.cond, Mode: Mode{NoGrad: c.noGrad, Evaluation: !rd.trains && !rd.repeat}, Site: Site{File: c.unit.file, At: c.at, Value: c.right}}
}

// chained is an assignment of a new object that holds the one of the round before: a linked list, an entry longer in each
// round. Nil for others, and where no graph is in the entries.
func (it *interp) chained(c *carry) *Store {
	for _, o := range c.what.objects() {
		link, entry := o.link()
		if link == nil || len(entry) == 0 {
			continue
		}
		rd, resets := it.grows(c, link)
		if rd == nil || it.used(entry, rd) || sawtooth(rd, c.born, resets) && it.freed(entry[0], rd) {
			continue
		}
		s := c.store("linked list", rd)
		for _, v := range entry {
			s.What.Parts |= it.export(v, v.content(), rd).Parts
		}
		s.Made = it.origin(entry[0], it.unit).at()
		if o.kind == container {
			s.Shown = written(c.right, c.what, 0)
		} else if len(entry) == 1 {
			s.Shown = it.handed(c.right, entry[0])
		}
		s.Site.Shown = s.Shown
		return it.within(s, c.what, c.unit, rd)
	}
	return nil
}

// used reports whether a backward that is not in rd goes through an entry: it is kept for that.
func (it *interp) used(entry []*value, rd *round) bool {
	for _, v := range entry {
		if slices.ContainsFunc(v.backed, func(m *round) bool { return !m.in(rd) }) {
			return true
		}
	}
	return false
}

// link is the part of o that may be an object made where o is, in a round before, and what else of it has a graph.
func (o *object) link() (link *value, entry []*value) {
	var parts []*value
	switch {
	case o.kind == container:
		parts = o.elems.in
	case o.kind == instance && !o.unknown:
		for _, name := range slices.Sorted(maps.Keys(o.fields)) {
			parts = append(parts, o.fields[name])
		}
	}
	for _, w := range parts {
		switch {
		case (w.op == opCopy || o.kind == container) && slices.Contains(w.objects(), o): // an attribute may be o itself
			link = w
		case w.content()&Graph != 0:
			entry = append(entry, w)
		}
	}
	return link, entry
}

// renews reports whether some method gives the slot, which stands in the source as path, an empty value.
func (it *interp) renews(s slot, path string) bool {
	switch o := s.object; {
	case o == nil:
		return false
	case o.kind == container:
		return it.index.isEmptied(entryName(path))
	default:
		return (it.self[o] || o.unknown) && it.index.isEmptied(s.name)
	}
}

// entryName is an entry of an attribute without its object: `state["last"]` of `self.state["last"]`.
func entryName(path string) string {
	name := lastName(path)
	if i := strings.IndexByte(path, '['); i >= 0 && name != "" {
		return name + path[i:]
	}
	return ""
}

// addsUnsure reports whether all that is added is a part of what a module returns, of which nothing else is known: a
// count or an accuracy beside the output, maybe.
func (v *value) addsUnsure() bool {
	for _, w := range v.in {
		if w.op == opElem && w.apart && w.in[0].op == opCall && w.traits&Loss == 0 && len(w.backed) == 0 {
			return true
		}
	}
	return false
}

// overRound reports whether the variable's value of the round before goes into part of the new one, or all of it: what a
// loop within makes from itself begins anew.
func overRound(c *carry, part *value, rd *round) bool {
	if rd.loop.Node == pysyntax.None {
		return true
	}
	head := c.frame.back[joint{rd.loop.Node, c.slot.name}]
	return head != nil && (head == part || upstream(part, head))
}

// term is what a running sum adds: the other operand.
func (it *interp) term(c *carry) pysyntax.Ref {
	f := c.unit.file
	if c.right == pysyntax.None {
		return pysyntax.None
	}
	if f.Kind(f.Parent(c.right)) == pysyntax.AugmentedAssignment {
		return c.right
	}
	if f.Kind(c.right) != pysyntax.BinaryOperator {
		return pysyntax.None
	}
	left, right := f.Child(c.right, pysyntax.FieldLeft), f.Child(c.right, pysyntax.FieldRight)
	switch {
	case f.Text(left) == c.path:
		return right
	case f.Text(right) == c.path:
		return left
	}
	return pysyntax.None
}
