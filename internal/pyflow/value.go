package pyflow

import "github.com/torchleak/torchleak/internal/pysyntax"

// op is how a value comes about, and so what it inherits of its inputs.
type op uint8

const (
	opFixed   op = iota // its traits are known from the start; nothing known has none
	opCopy              // one of its inputs, whichever way was taken
	opCompute           // a tensor computed from its inputs
	opCut               // its input without the graph
	opCall              // the result of calling in[0], about which the source says nothing, with the rest
	opElem              // a part of in[0]
	opMoved             // in[0] elsewhere or in another type: no view of it
)

// value is one node of the graph of values: an expression in one activation of a function.
type value struct {
	op       op
	frozen   bool // of modules: its parameters were set not to require gradients
	noGrad   bool // made where gradients are off
	loss     bool // of computations: a loss function
	partly   bool // of parts: a slice, which shares its storage with the whole
	sure     bool // of slices: by an index that only tensors have
	single   bool // of parts: by one index, so that it has a dimension less than the whole
	times    bool // of computations: by multiplication
	modulo   bool // of computations: a remainder, which is bounded
	joins    bool // of computations: by concatenation
	reduces  bool // of computations: to a number, or to nobody knows how many
	binary   bool // of computations: by an operator
	apart    bool // of parts: one of several that a call returns, maybe no tensor
	stub     bool // of attributes: made up because somebody asks for it
	counter  bool // of parts: what enumerate counts
	kept     bool // of values: a backward left their graph as it was
	each     bool // of parts: what an iteration gives
	one      bool // of results: surely one tensor, no tuple of some
	ofParams bool // of cuts: the gradient of a parameter, as large as it
	output   bool // of copies: what a module's method returns
	node     bool // of what is moved: the node of its graph, without the tensor
	traits   Trait
	from     pysyntax.Ref
	unit     *unit
	in       []*value
	object   *object
	name     string // qualified, of what was imported
	path     string // as the source says it, of variables and attributes
	scope    Scope
	loops    *round // where it was made
	backed   []*round
	hooks    []*round // of a hook's handle: the calls of the hook
	home     *frame   // of a hook's handle: where it was registered
	data     []*value // of arrays: what they were made of
	mark     int32
}

// objectKind says what an abstract object is.
type objectKind uint8

const (
	container objectKind = iota
	instance
	function
	namespace
)

// object is something with an identity: a container, an instance of a class of the source, a function.
type object struct {
	kind    objectKind
	typ     string // of containers
	class   *class
	fn      *fn
	outer   *frame     // of functions: where it was defined
	self    *value     // of bound methods
	bound   []argument // of functools.partial: what is given already
	made    pysyntax.Ref
	unit    *unit
	loops   *round
	elems   *value
	keys    map[string]*value
	fields  map[string]*value
	parts   []*value // of displays that nobody adds to
	shown   []shown  // of displays: what is written out
	bounded bool
	unknown bool // made out of sight: by the caller, or in a part of the program that is not at hand
	emptied []*round
	eaten   []*round // backward was called there on something made of what is in it
	stores  int
	within  *object // the container that this one is an entry of
	path    string
	scope   Scope
}

// shown is one expression of a display.
type shown struct {
	node pysyntax.Ref
	val  *value
}

// round is one loop as it runs in one activation, or the calls of a function that happen again and again.
type round struct {
	outer   *round
	loop    *Loop
	unit    *unit
	depth   int
	runs    int  // how often it was gone through
	repeat  bool // not a loop of the source: the function is called again and again
	trains  bool
	loader  bool
	endless bool // while True
	feeds   bool // gives the items of a data set
	stepped bool // an optimizer steps in it
	removed bool // of hooks: the hook is taken off again where it was put on
	lent    bool // of hooks: its handle is returned
	inner   bool // has a training loop in it
}

// in reports whether r is outer or runs within it.
func (r *round) in(outer *round) bool {
	if outer == nil {
		return true
	}
	for r != nil && r.depth > outer.depth {
		r = r.outer
	}
	return r == outer
}

// shared returns the innermost round that both are in.
func (r *round) common(o *round) *round {
	for r != nil && !o.in(r) {
		r = r.outer
	}
	return r
}

func (it *interp) make(r pysyntax.Ref, o op, in ...*value) *value {
	it.count++
	v := &value{op: o, from: r, unit: it.frame.unit, in: in, loops: it.loops, noGrad: it.noGrad}
	it.values = append(it.values, v)
	return v
}

// memoKey tells the values of one expression apart: its own, a part of it, a container made for it.
type memoKey struct {
	at   pysyntax.Ref
	kind op
}

const (
	keyPart op = iota + 100
	keyContainer
	keyParam
	keyName
	keyOutput
)

// at returns the value of r in this activation, the same one each time a loop comes by.
func (it *interp) at(r pysyntax.Ref, o op, in ...*value) *value {
	return it.keyed(memoKey{r, o}, o, in...)
}

func (it *interp) keyed(key memoKey, o op, in ...*value) *value {
	r := key.at
	v := it.frame.memo[key]
	if v == nil {
		v = it.make(r, o, in...)
		it.frame.memo[key] = v
		return v
	}
	for i, w := range in {
		if i < len(v.in) && v.in[i] == w {
			continue
		}
		if o == opCall && i == 0 && len(v.in) > 0 {
			v.in[0] = it.either(v.in[0], w, r)
			continue
		}
		v.feed(w)
	}
	return v
}

// feed adds an input.
func (v *value) feed(w *value) {
	if w == nil || len(v.in) > 24 {
		return
	}
	for _, k := range v.in {
		if k == w {
			return
		}
	}
	v.in = append(v.in, w)
}

func fixed(t Trait) *value { return &value{traits: t} }

var (
	nothing = fixed(0)
	number  = fixed(Number)
)

// either is a or b.
func (it *interp) either(a, b *value, r pysyntax.Ref) *value {
	switch {
	case a == b || b == nil || b == nothing && a != nil:
		return a
	case a == nil || a == nothing:
		return b
	case a.op == opCopy && a.mark == merge && a.loops == it.loops:
		a.feed(b)
		return a
	}
	v := it.make(r, opCopy, a, b)
	v.path, v.scope = a.path, a.scope
	v.mark = merge
	return v
}

// shared reports whether v stands for all values of its kind, so that nothing may be noted on it.
func (v *value) shared() bool { return v == nothing || v == number }

// guessed reports whether v is an attribute that nobody was seen to set.
func (v *value) guessed() bool { return v != nil && v.stub && v.object == nil }

// merge marks copies that only join several ways.
const merge = -7

// objects returns the objects that v may be, as far as a short search finds them.
func (v *value) objects() []*object {
	if v == nil || v.object == nil && v.op != opCopy && v.op != opElem {
		return nil
	}
	var s search
	s.look(v, 0)
	return s.found
}

// visited are the values that a walk came by: values are made of themselves in loops, and containers hold themselves.
type visited map[*value]bool

// maxVisited bounds how many values one walk looks at.
const maxVisited = 3000

// first reports whether a walk that comes by v should look at it: for the first time, and not too far into it.
func (s visited) first(v *value) bool {
	if s[v] || len(s) >= maxVisited {
		return false
	}
	s[v] = true
	return true
}

// search is a walk from a value to the objects it may be.
type search struct {
	seen  [24]*value
	n     int
	found []*object
}

func (s *search) look(v *value, elems int) {
	if v == nil || s.n == len(s.seen) || len(s.found) >= 8 {
		return
	}
	for _, w := range s.seen[:s.n] {
		if w == v {
			return
		}
	}
	s.seen[s.n] = v
	s.n++
	if v.object != nil {
		for _, o := range s.found {
			if o == v.object {
				return
			}
		}
		s.found = append(s.found, v.object)
		return
	}
	switch v.op {
	case opCopy:
		for _, w := range v.in {
			s.look(w, elems)
		}
	case opElem:
		if elems >= 3 {
			return
		}
		var whole search
		whole.look(v.in[0], elems+1)
		for _, o := range whole.found {
			if o.kind == container {
				s.look(o.elems, elems+1)
			}
		}
	}
}

func (v *value) instance() *object {
	for _, o := range v.objects() {
		if o.kind == instance {
			return o
		}
	}
	return nil
}

// containers returns the containers that v may be.
func (v *value) containers() []*object {
	var found []*object
	for _, o := range v.objects() {
		if o.kind == container {
			found = append(found, o)
		}
	}
	return found
}
