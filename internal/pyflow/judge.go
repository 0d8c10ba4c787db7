package pyflow

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// judge turns what was seen into the stores that matter: those whose holder outlives a round.
func (it *interp) judge() {
	made := map[pysyntax.Ref]bool{} // statements that make an entry from itself: it is the one fault of theirs
	for _, c := range it.cycles {
		s := it.cycle(c)
		if s == nil {
			s = it.chained(c)
		}
		if s != nil {
			it.facts.store(c.unit, c.fn, s)
			made[s.At] = true
		}
	}
	for _, e := range it.stores {
		if s := it.judged(e); s != nil && (s.How != Keyed || !made[s.At]) {
			it.facts.store(e.unit, e.fn, s)
		}
	}
}

// eligible reports whether a round is a step of training or evaluation, or what happens in each of them.
func (r *round) eligible(eval bool) bool {
	return r.trains || r.repeat || eval || r.loader || r.endless || r.feeds
}

// outlived returns the innermost round that a holder made in born outlives, that is a step, and in which nothing
// empties it. The rounds in emptied are those in which it is.
func outlived(at, born *round, emptied []*round, eval bool, keyed func(*round) bool) *round {
	for rd := at; rd != nil && !born.in(rd); rd = rd.outer {
		for _, m := range emptied {
			if m.in(rd) {
				return nil
			}
		}
		if rd.eligible(eval) && (keyed == nil || keyed(rd)) {
			return rd
		}
	}
	return nil
}

// sawtooth reports whether a round around rd empties the holder, so that it grows for so long only.
func sawtooth(rd, born *round, emptied []*round) bool {
	for outer := rd.outer; outer != nil && !born.in(outer); outer = outer.outer {
		for _, m := range emptied {
			if m.in(outer) {
				return true
			}
		}
	}
	return false
}

// judged is a store whose holder outlives the step, nil for others.
func (it *interp) judged(e *event) *Store {
	what := e.what
	o := e.holder
	if o == nil {
		return nil
	}
	h := &Holder{Path: e.path, Scope: max(o.scope, e.scope), Type: o.typ, Bounded: o.bounded || e.capped}
	var emptied []*round
	born := o.loops
	eaten := o.eaten
	own := o.kind != container
	for w, depth := o, 0; w != nil && depth < 6; w, depth = w.within, depth+1 {
		emptied = append(emptied, w.emptied...)
		eaten = append(eaten, w.eaten...)
		h.Bounded = h.Bounded || w.bounded
		born = born.common(w.loops)
		if w.made != pysyntax.None && w.unit == it.unit {
			h.Made = w.made
		}
	}
	if own {
		return it.assigned(e, h)
	}
	traits := what.traits
	parts := Trait(0)
	for _, c := range what.containers() {
		parts |= c.content(0)
	}
	eval := what.content()&Exception != 0 && h.Scope != Local || e.eval && ((traits|parts)&Graph != 0 && !e.noGrad || traits&View != 0)
	var keyed func(*round) bool
	if e.how == Keyed {
		graph := what.content()&Graph != 0
		keyed = func(rd *round) bool {
			return e.moving || e.guard && graph && rd.repeat || moves(e.keys, rd) || graph && ofBatch(e.keys)
		}
	}
	rd := outlived(e.loops, born, emptied, eval, keyed)
	if rd == nil && e.how == Appended && !e.gathered && h.attribute() && (traits|parts)&StateDict != 0 && (traits|parts)&Net == 0 {
		rd = outlived(e.loops, born, emptied, true, keyed) // each is a model's weights, whatever the loop does
	}
	if rd == nil || e.gathered && rd != e.loops {
		return nil
	}
	if h.attribute() {
		h.Scope = Attribute
	}
	if name := lastName(e.path); h.Scope == Attribute && name != "" && it.index.isEmptied(name) && (o.typ == "queue" || !it.visible(o)) {
		h.Emptied = true
	}
	if rd.removed || rd.lent && h.Scope != Attribute {
		return nil
	}
	for _, m := range eaten {
		if !m.in(rd) {
			h.Consumed = true
		}
	}
	if rd.loop.Node == pysyntax.None && len(emptied) > 0 {
		h.Emptied = true // a hook's container, emptied by whoever set the hook
	}
	if sawtooth(rd, born, emptied) && ((traits|parts)&Graph == 0 || it.freed(what, rd)) {
		h.Emptied = true
	}
	if (traits|parts)&Graph == 0 && born != nil && born.loop.Node != pysyntax.None {
		h.Emptied = true // made anew in each round of a loop around
	}
	if born != nil && born.loop.Node != pysyntax.None && !rd.stepped && rd.trains && it.freed(what, rd) {
		h.Emptied = true // the parts of one step
	}
	rd.loop.Trains, rd.loop.Feeds = rd.trains, rd.feeds
	s := &Store{At: e.at, Value: e.value, Holder: h, How: e.how, Loop: rd.loop, Again: true, Via: e.via, Guard: e.guard, If: e.cond,
		Mode: Mode{NoGrad: e.noGrad, Evaluation: (traits|parts)&Graph != 0 && !e.noGrad && !rd.trains && !rd.repeat}}
	s.What = it.export(what, parts, rd)
	s.Shown = written(e.value, what, 0)
	s.Site = Site{e.unit.file, e.at, e.value, s.Shown}
	made := it.origin(what, it.unit)
	if e.gathered && !rd.trains && (made == nil || !made.loops.in(rd)) {
		return nil // parts of what was there before
	}
	s.Made = made.at()
	s.Mode.Evaluation = s.Mode.Evaluation || !e.noGrad && made.rollout(rd) && !it.freed(what, rd)
	return it.within(s, what, e.unit, rd)
}

// attribute reports whether the path of a holder begins with an object that has it.
func (h *Holder) attribute() bool {
	name, _, _ := strings.Cut(h.Path, "[")
	return h.Scope == Attribute || h.Scope == Local && (strings.Contains(name, ".") || strings.HasPrefix(h.Path, "self["))
}

// written returns the expressions of a stored value that carry a graph, or are tensors where none does.
func written(node pysyntax.Ref, v *value, depth int) []pysyntax.Ref {
	if node == pysyntax.None || depth > 4 {
		return nil
	}
	if v.source().node {
		return nil // no tensor, that could be cut
	}
	if v.traits&(Tensor|Exception) != 0 {
		return []pysyntax.Ref{node}
	}
	var found []pysyntax.Ref
	for _, o := range v.containers() {
		if o.made != node {
			return nil
		}
		for _, s := range o.shown {
			if s.val.content()&(Graph|Exception) != 0 {
				found = append(found, written(s.node, s.val, depth+1)...)
			}
		}
	}
	return found
}

// visible reports whether the whole life of a holder is in sight: whoever owns it was made in code that was followed.
func (it *interp) visible(o *object) bool {
	for w := o; w != nil; w = w.within {
		if w.unknown || it.self[w] {
			return false
		}
	}
	return o.loops != nil || o.made != 0 && !it.ofSelf(o)
}

// ofSelf reports whether a container is an attribute of an instance that no source makes.
func (it *interp) ofSelf(o *object) bool {
	for self := range it.self {
		for _, v := range self.fields {
			for _, c := range v.containers() {
				if c == o {
					return true
				}
			}
		}
	}
	return false
}

// content is the traits of what is in a container, and in what is in that.
func (o *object) content(depth int) Trait {
	t := o.elems.traits
	if depth > 3 {
		return t
	}
	for _, c := range o.elems.objects() {
		if c.kind == container && c != o {
			t |= c.content(depth + 1)
		}
	}
	return t
}

func lastName(path string) string {
	path, _, _ = strings.Cut(path, "[")
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return path[i+1:]
	}
	return ""
}

func (x *Index) isEmptied(name string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.emptied[name]
}

// moves reports whether a key is another one in each round of rd: it is what the loop counts, or it is counted up.
func moves(keys []*value, rd *round) bool {
	for _, k := range keys {
		if k.traits&Tensor != 0 || k.counts(rd, 0, visited{}) {
			return true
		}
	}
	return false
}

// ofBatch reports whether a key is one of the numbers in a batch, as that of a sample: for a pass over the data another
// one each time.
func ofBatch(keys []*value) bool {
	for _, k := range keys {
		for depth := 0; depth < 8 && (k.op == opElem || k.op == opCopy) && len(k.in) == 1; depth++ {
			k = k.in[0]
		}
		for _, from := range k.data {
			if k.traits&Array != 0 && from.content()&Batch != 0 {
				return true
			}
		}
	}
	return false
}

func (v *value) counts(rd *round, depth int, seen visited) bool {
	if v == nil || depth > 6 || v.modulo || !seen.first(v) {
		return false
	}
	switch v.op {
	case opFixed: // the id of something
		return v.counter && (v.in[0].traits&(Tensor|Batch) != 0 || v.in[0].counts(rd, depth+1, seen))
	case opElem:
		if v.counter || v.loops == rd && v.in[0].loops != rd {
			return true
		}
		return depth < 5 && v.in[0].counts(rd, depth+1, seen)
	case opCopy, opCompute, opMoved:
		if v.binary && v.loops.in(rd) && v.cyclic() {
			return true
		}
		for _, w := range v.in {
			if w.counts(rd, depth+1, seen) {
				return true
			}
		}
	}
	return false
}

// cyclic reports whether v is made from itself.
func (v *value) cyclic() bool {
	for _, w := range v.in {
		if w == v {
			return true
		}
		if w.op == opCopy {
			for _, x := range w.in {
				if x == v {
					return true
				}
			}
		}
	}
	return false
}

// assigned is `self.x = v` with a graph, one at a time.
func (it *interp) assigned(e *event, h *Holder) *Store {
	if e.what.traits&(Tensor|Exception) == 0 {
		return nil
	}
	h.Scope = Attribute
	s := &Store{At: e.at, Value: e.value, Holder: h, How: Assigned, Via: e.via, Mode: Mode{NoGrad: e.noGrad}}
	s.What = it.export(e.what, 0, nil)
	if e.unit != it.unit {
		return nil
	}
	return s
}

// export is v as rules see it, with what a backward in rd has freed.
func (it *interp) export(v *value, parts Trait, rd *round) Value {
	x := Value{Traits: v.traits, Parts: parts, From: v.from}
	if o := v.instance(); o != nil && o.class != nil {
		x.Class = o.class.name
	} else if v.name != "" {
		x.Class = strings.TrimSuffix(v.name, "()")
	}
	if rd != nil && it.freed(v, rd) {
		if x.Traits&Graph != 0 {
			x.Traits |= Spent
		}
		if x.Parts&Graph != 0 {
			x.Parts |= Spent
		}
	}
	return x
}

// freed reports whether a backward within rd went through v, or through what is in it.
func (it *interp) freed(v *value, rd *round) bool {
	seen := visited{}
	var visit func(v *value, depth int) bool
	visit = func(v *value, depth int) bool {
		if v == nil || depth > 5 || v.op == opCut || !seen.first(v) {
			return false
		}
		for _, m := range v.backed {
			if m.in(rd) && !v.kept {
				return true
			}
		}
		for _, o := range v.containers() {
			if visit(o.elems, depth+1) {
				return true
			}
		}
		if v.op == opCall {
			return false
		}
		for _, w := range v.in {
			if visit(w, depth+1) {
				return true
			}
		}
		return false
	}
	return visit(v, 0)
}

// origin is the call of a module that v came out of, in the file u, nil where none is in sight.
func (it *interp) origin(v *value, u *unit) *value {
	seen := visited{}
	var visit func(v *value, depth int) *value
	visit = func(v *value, depth int) *value {
		if v == nil || depth > 20 || v.op == opCut || !seen.first(v) {
			return nil
		}
		if v.unit == u && (v.op == opCall && v.in[0].traits&Net != 0 && !v.noGrad || v.output && v.traits&Graph != 0) {
			return v
		}
		for _, o := range v.containers() {
			if w := visit(o.elems, depth+1); w != nil {
				return w
			}
		}
		for _, w := range v.in {
			if w = visit(w, depth+1); w != nil {
				return w
			}
		}
		return nil
	}
	return visit(v, 0)
}

// at is where a value is made, None where there is no value.
func (v *value) at() pysyntax.Ref {
	if v == nil {
		return pysyntax.None
	}
	return v.from
}

// rollout reports whether a module's result is made in a loop within rd in which nothing trains.
func (v *value) rollout(rd *round) bool {
	return v != nil && v.loops != nil && v.loops != rd && v.loops.in(rd) && v.loops.loop.Node != pysyntax.None && !v.loops.trains
}

// handed returns the argument of a call that what has its graph from, where it is one only.
func (it *interp) handed(call pysyntax.Ref, what *value) []pysyntax.Ref {
	n := it.facts.calls[call]
	if n == nil {
		return nil
	}
	var found []pysyntax.Ref
	for _, a := range n.args {
		if a.val.traits&Graph != 0 && !a.star && what.madeOf(a.val) {
			found = append(found, a.node)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found
}

// madeOf reports whether w, or something computed from it, went into v, or into what v contains.
func (v *value) madeOf(w *value) bool {
	seen := visited{}
	var visit func(v *value, depth int) bool
	visit = func(v *value, depth int) bool {
		if v == w {
			return true
		}
		if v == nil || depth > 20 || v.op == opCut || !seen.first(v) {
			return false
		}
		for _, o := range v.containers() {
			if visit(o.elems, depth+1) {
				return true
			}
		}
		for _, in := range v.in {
			if visit(in, depth+1) {
				return true
			}
		}
		return false
	}
	return visit(v, 0)
}

// within moves a store that happens in another file to the call in this one that leads there.
func (it *interp) within(s *Store, what *value, u *unit, rd *round) *Store {
	if rd.unit != it.unit {
		return nil // the loop is the other file's, and so is the finding
	}
	if u == it.unit {
		return s
	}
	for i := len(s.Via) - 1; i >= 0; i-- {
		if s.Via[i].From == it.unit.file {
			s.At = it.unit.file.Statement(s.Via[i].Call)
			s.Value, s.Term, s.Shown = pysyntax.None, pysyntax.None, it.handed(s.Via[i].Call, what)
			if s.How == Summed && len(s.Shown) == 1 {
				s.Term = s.Shown[0]
			}
			s.Via = s.Via[i:]
			return s
		}
	}
	return nil
}
