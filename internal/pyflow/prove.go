package pyflow

import (
	"slices"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// prove draws conclusions from the fact that v carries a graph: it must have got it from one of its inputs.
func (it *interp) prove(v *value, seen visited, depth int) {
	if v == nil || v == number || v == nothing || seen[v] || len(seen) > 200 {
		return
	}
	seen[v] = true
	switch v.op {
	case opFixed:
		for _, o := range v.containers() {
			it.among(o.elems.in, seen, depth)
		}
		if v.traits&^Batch == 0 && v.object == nil {
			v.traits |= Tensor | Graph
		}
	case opCopy:
		it.among(v.in, seen, depth)
		if len(v.objects()) == 0 {
			v.traits |= Tensor | Graph
		}
	case opMoved, opElem:
		if v.traits&Graph == 0 {
			v.traits |= Tensor | Graph
			if v.in[0].op == opCall && !seen[v.in[0]] {
				seen[v.in[0]] = true
				if v.unit != nil && v.unit.file.Kind(v.from) == pysyntax.Attribute {
					depth++ // models return objects with the loss in them, functions tuples
				}
				it.proveSource(v.in[0], seen, depth)
				return
			}
			it.prove(v.in[0], seen, depth)
		}
	case opCompute:
		v.traits |= Tensor | Graph
		if v.binary && !v.times {
			it.terms(v.in, seen, depth)
		}
		it.among(v.in, seen, depth+1)
	case opCall:
		v.traits |= Tensor | Graph
		it.proveSource(v, seen, depth+1)
	}
}

// proveSource finds out where a result, or a part of it, has its graph from: an argument, or the parameters of what
// was called. Of a tuple whose part is a loss itself nothing is known of the other parts, so depth 0 makes no module.
func (it *interp) proveSource(v *value, seen visited, depth int) {
	fun := v.in[0]
	if fun.traits&(Net|Differs) != 0 || fun.shared() {
		return
	}
	var given []*value
	for _, w := range v.in[1:] {
		if !w.counted() {
			given = append(given, w)
		}
	}
	if it.among(given, seen, depth+1) || depth == 0 {
		if fun.traits&Callable == 0 && fun.object == nil && fun != nothing {
			fun.traits |= Differs
		}
		return
	}
	if fun.traits&Callable == 0 && fun.object == nil && fun != nothing {
		fun.traits |= Net
	}
}

// counted reports whether v is what a loop counts, maybe on another device: data, as long as nothing else is known.
func (v *value) counted() bool {
	for depth := 0; depth < 16 && (v.op == opMoved || v.op == opCopy && len(v.in) == 1); depth++ {
		v = v.in[0]
	}
	return v.op == opElem && v.each && v.traits&carries == 0
}

// among proves the one of several values that a graph can have come from, and reports whether there is one.
func (it *interp) among(in []*value, seen visited, depth int) bool {
	var maybe, sure []*value
	for _, w := range choices(in, 0) {
		if w.content()&(carries|Net) != 0 {
			return true
		}
		root := w.root()
		if root == nil || w.constant(0) {
			continue
		}
		maybe = append(maybe, w)
		if root.op == opCall && root.in[0].variable() {
			sure = append(sure, w)
		}
	}
	if len(sure) == 0 && len(maybe) == 1 {
		sure = maybe
	}
	for _, w := range sure {
		it.prove(w, seen, depth)
	}
	return len(sure) > 0
}

// choices is the values, with what may be in a container in place of a part of it.
func choices(in []*value, depth int) []*value {
	var all []*value
	for _, w := range in {
		var held []*object
		if w.op == opElem && depth < 4 {
			held = w.in[0].containers()
		}
		for _, o := range held {
			all = append(all, choices(o.elems.in, depth+1)...)
		}
		if len(held) == 0 {
			all = append(all, w)
		}
	}
	return all
}

// constant reports whether v is computed from nothing but new tensors and numbers, as a mask is: no graph is in it.
func (v *value) constant(depth int) bool {
	if depth > 8 || v.traits&carries != 0 {
		return false
	}
	switch v.op {
	case opFixed:
		return v.traits&(Tensor|Number) != 0 && v.traits&Batch == 0 && v.object == nil
	case opCompute, opMoved:
		return len(v.in) > 0 && !slices.ContainsFunc(v.in, func(w *value) bool { return !w.constant(depth + 1) })
	case opCopy:
		return len(v.in) == 1 && v.in[0].constant(depth+1)
	}
	return false
}

// terms proves each computed term of a sum that is a loss.
func (it *interp) terms(in []*value, seen visited, depth int) {
	if depth > 1 {
		return
	}
	for _, w := range in {
		if w.op == opCompute && w.root() != nil || w.op == opCall && w.in[0].variable() {
			it.prove(w, seen, depth)
		}
	}
}

// variable reports whether v is a variable or attribute that holds what is called, and no function known by name.
func (v *value) variable() bool {
	return v.traits&Callable == 0 && v != nothing && v.object == nil && v.path != ""
}

// root returns the computation that v is, or is a part of, nil for what was only handed in.
func (v *value) root() *value { return v.rooted(visited{}) }

func (v *value) rooted(seen visited) *value {
	for range 8 {
		if v.op == opCopy && !seen.first(v) {
			return nil
		}
		switch v.op {
		case opCall, opCompute:
			return v
		case opElem, opMoved:
			v = v.in[0]
		case opCopy:
			for _, w := range v.in {
				if w != v && w.op != opCopy {
					if r := w.rooted(seen); r != nil {
						return r
					}
				}
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// forLoss marks v a loss, and what it is the sum of.
func (it *interp) forLoss(v *value, depth int, seen visited) {
	if v == nil || v == number || v == nothing || depth > 12 || v.traits&Graph == 0 && len(v.containers()) == 0 || !seen.first(v) {
		return
	}
	if v.traits&Loss != 0 {
		return
	}
	if v.traits&Graph != 0 {
		v.traits |= Loss
	}
	if v.op == opCopy || v.op == opMoved || v.op == opElem || v.op == opCompute && v.binary {
		for _, w := range v.in {
			for _, o := range w.containers() {
				if v.op == opElem {
					it.forLoss(o.elems, depth+1, seen)
				}
			}
			if v.op != opElem {
				it.forLoss(w, depth+1, seen)
			}
		}
	}
}

// eat marks everything that a backward went through.
func (it *interp) eat(b backEvent) {
	seen := visited{}
	var visit func(v *value, depth int)
	visit = func(v *value, depth int) {
		if v == nil || depth > 200 || !seen.first(v) {
			return
		}
		if v.op == opCut {
			return
		}
		for _, o := range v.containers() {
			o.eaten = append(o.eaten, b.loops)
			visit(o.elems, depth+1)
		}
		if v.traits&Graph != 0 {
			v.backed = append(v.backed, b.loops)
			v.kept = v.kept || b.retain
		}
		for _, w := range v.in {
			visit(w, depth+1)
		}
	}
	visit(b.what, 0)
}
