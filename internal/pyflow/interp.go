package pyflow

import (
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Bounds of the work for one file.
const (
	maxSteps   = 20000  // expressions and statements of one root, and as many again in other files
	maxJourney = 5000   // of these in one call into another file
	maxTotal   = 600000 // of all roots of a file
	maxValues  = 120000
	maxDepth   = 6 // calls within calls
	maxLooks   = 400000
	maxEvents  = 12000 // stores, assignments, backwards
)

// interp goes through one root: a function that nobody calls in sight, or the module's own code.
type interp struct {
	index    *Index
	unit     *unit
	frame    *frame
	loops    *round
	noGrad   bool
	eval     bool
	cond     int // conditions around the statement, within its loop
	guards   []pysyntax.Ref
	depth    int
	steps    int
	limit    int
	count    int
	over     bool
	values   []*value
	stores   []*event
	backs    []backEvent
	via      []Callee
	units    map[*unit]*frame
	active   map[*fn]int
	cycles   []*carry
	slots    map[slot][]*carry // the same by what is assigned to
	had      map[deed]bool
	looks    int // how far ways from a value to itself were followed
	facts    *facts
	seen     map[*fn]bool
	missed   map[*fn]bool      // not gone through, or not to the end
	far      map[*fn]int       // of other files: how many steps were not enough to go through
	abroad   bool              // within a call into another file
	journeys int               // steps that this root may still make in other files
	births   map[*class]*value // an instance of the class that was made in sight
	self     map[*object]bool  // instances that no source makes: what a class would be
}

// frame is one activation of a function, or a file's own code.
type frame struct {
	unit  *unit
	fn    *fn
	vars  *variables
	outer *frame
	memo  map[memoKey]*value
	calls map[callKey]*frame
	round map[pysyntax.Ref]*round
	back  map[joint]*value
	names map[string]bool // declared global
	non   map[string]bool // declared nonlocal
	rets  *value
	base  *round // the round that the activation runs in
	done  bool   // has returned on this way
	runs  int    // how often it was gone through
}

// event is one store, to be judged when all is known.
type event struct {
	unit     *unit
	fn       *fn
	at       pysyntax.Ref
	value    pysyntax.Ref
	what     *value
	holder   *object
	path     string
	scope    Scope
	how      How
	loops    *round
	via      []Callee
	noGrad   bool
	eval     bool
	guard    bool
	cond     bool
	capped   bool     // stored only while the holder is not longer than something
	keys     []*value // what the key is made of
	moving   bool     // the key is another one each time
	gathered bool     // by a comprehension
}

// deed is what one statement does with one value in one round: done once, however often it is gone through.
type deed struct {
	at    pysyntax.Ref
	what  *value
	to    *object
	name  string
	loops *round
}

// repeated reports whether that was done before.
func (it *interp) repeated(d deed) bool {
	if it.had[d] {
		return true
	}
	it.had[d] = true
	return false
}

// backEvent is one backward.
type backEvent struct {
	what   *value
	loops  *round
	retain bool
}

func newFrame(u *unit, d *fn, outer *frame) *frame {
	return &frame{unit: u, fn: d, outer: outer, vars: &variables{}, memo: map[memoKey]*value{},
		calls: map[callKey]*frame{}, round: map[pysyntax.Ref]*round{}}
}

// global returns the frame of a file's own code.
func (it *interp) global(u *unit) *frame {
	g := it.units[u]
	if g == nil {
		g = newFrame(u, nil, nil)
		it.units[u] = g
	}
	return g
}

func (it *interp) spend() bool {
	it.steps++
	if it.steps > it.limit || it.count > maxValues {
		it.over = true
	}
	return !it.over
}

// in runs do in another frame. The conditions around the statement are expressions of the frame that it leaves, maybe
// of another file.
func (it *interp) in(fr *frame, do func()) {
	was, guards := it.frame, it.guards
	it.frame, it.guards = fr, nil
	do()
	it.frame, it.guards = was, guards
}

// lookup finds a name from the current frame outwards.
func (it *interp) lookup(name string) *value {
	fr := it.frame
	if fr.names[name] {
		return it.globalName(fr.unit, name)
	}
	for f := fr; f != nil; f = f.outer {
		if v := f.vars.get(name); v != nil {
			return v
		}
	}
	return it.globalName(fr.unit, name)
}

// globalName finds a name of a file: bound by its own code as far as that ran, defined, or imported.
func (it *interp) globalName(u *unit, name string) *value {
	g := it.global(u)
	if v := g.vars.get(name); v != nil {
		return v
	}
	if d := u.funcs[name]; d != nil {
		v := &value{object: &object{kind: function, fn: d, outer: g, unit: u}, traits: Callable, name: name}
		g.vars.set(name, v)
		return v
	}
	if c := u.classes[name]; c != nil {
		v := &value{object: &object{kind: namespace, class: c, unit: u}, traits: Callable, name: name}
		g.vars.set(name, v)
		return v
	}
	if q, ok := u.imports[name]; ok {
		v := it.importedName(u, q)
		g.vars.set(name, v)
		return v
	}
	if r, ok := u.sets[name]; ok && it.depth < maxDepth+2 {
		g.vars.set(name, nothing) // it may lead to itself
		it.depth++
		loops, cond := it.loops, it.cond
		it.loops, it.cond = nil, 0
		it.in(g, func() { it.assignment(r) })
		it.loops, it.cond = loops, cond
		it.depth--
		return g.vars.get(name)
	}
	for _, module := range u.stars {
		if other := it.index.find(u, module); other != nil && (other.funcs[name] != nil || other.classes[name] != nil) {
			v := it.globalName(other, name)
			g.vars.set(name, v)
			return v
		}
	}
	v := &value{name: name, path: name, scope: Global, unit: u}
	return v
}

// importedName is what `from a import b` or `import a.b` binds, by the qualified name.
func (it *interp) importedName(u *unit, q string) *value {
	if !external(q) {
		if m := it.index.find(u, q); m != nil {
			return &value{name: q, object: &object{kind: namespace, unit: m}}
		}
		if module, name, ok := cutLast(q); ok {
			if m := it.index.find(u, module); m != nil && it.depth < maxDepth+2 {
				it.depth++
				v := it.globalName(m, name)
				it.depth--
				return v
			}
		}
	}
	return &value{name: q, traits: Callable, path: q, scope: Global, unit: u}
}

// bind gives a name a value in the scope that it belongs to.
func (it *interp) bind(name string, v *value) {
	fr := it.frame
	switch {
	case fr.names[name]:
		fr = it.global(fr.unit)
	case fr.non[name]:
		for f := fr.outer; f != nil; f = f.outer {
			if f.vars.get(name) != nil {
				fr = f
				break
			}
		}
	}
	old := fr.vars.get(name)
	if old != nil && old != v && fr != it.frame {
		it.left(old, v)
		v = it.either(old, v, v.from)
	} else if old != nil && old != v {
		it.left(old, v)
	}
	fr.vars.set(name, v)
}

// left notes that a name or attribute does not mean the containers in old any more.
func (it *interp) left(old, v *value) {
	if it.loops == nil {
		return
	}
	now := v.objects()
	for _, o := range old.containers() {
		stays := false
		for _, n := range now {
			stays = stays || n == o
		}
		if !stays && it.loops != o.loops {
			o.emptied = append(o.emptied, it.loops)
		}
	}
}
