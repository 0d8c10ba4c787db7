package pyflow

// solve finds the traits of all values: forward until nothing changes, then back from every backward, and again.
func (it *interp) solve() {
	for range 4 {
		it.forward()
		before := it.known()
		for _, b := range it.backs {
			it.prove(b.what, visited{}, 0)
			it.forLoss(b.what, 0, visited{})
		}
		it.namesakes()
		it.usage()
		if it.known() == before {
			break
		}
	}
	for _, v := range it.values {
		v.traits &^= View | Sized // a loss has no parts and is a number; which values are losses is known now
	}
	it.forward()
	for _, b := range it.backs {
		it.eat(b)
	}
}

// namesakes lets parameters of one name in one file mean the same kind of thing: what one function proves to be a
// module or a loss function is one where another is given it.
func (it *interp) namesakes() {
	proved := map[string]Trait{}
	for _, v := range it.values {
		if v.scope == Argument && v.op == opFixed && v.object == nil {
			proved[v.path] |= v.traits & (Net | Differs)
		}
	}
	for _, v := range it.values {
		if v.scope == Argument && v.op == opFixed && v.object == nil && v.traits == 0 && v != nothing {
			v.traits |= proved[v.path]
		}
	}
}

// known counts what is known, to see whether there is anything new.
func (it *interp) known() int {
	n := 0
	for _, v := range it.values {
		for t := v.traits; t != 0; t &= t - 1 {
			n++
		}
	}
	return n
}

func (it *interp) forward() {
	for range 12 {
		changed := false
		for _, v := range it.values {
			if t := v.traits | v.inherits(); t != v.traits {
				v.traits = t
				changed = true
			}
		}
		if !changed {
			return
		}
	}
}

const carries = Graph | Parameter

// content is the traits of v together with those of what is in it.
func (v *value) content() Trait {
	t := v.traits
	for _, o := range v.containers() {
		t |= o.elems.traits
	}
	return t
}

// inherits returns the traits that v has because of its inputs.
func (v *value) inherits() Trait {
	switch v.op {
	case opFixed:
		if v.reduces {
			return 0
		}
		return sized(v.data)
	case opCopy:
		var t Trait
		for _, w := range v.in {
			t |= w.traits
		}
		return t
	case opCompute:
		return v.computed()
	case opCut:
		return v.cut()
	case opMoved:
		t := v.in[0].content() &^ (Batch | Parameter | Exception | LoaderValue)
		if v.in[0].traits&Parameter != 0 {
			t |= Graph
		}
		if v.in[0].traits&Batch != 0 {
			t |= Tensor | Sized
			if !v.joins {
				t |= Batch // on another device it is the batch still
			}
		}
		if v.joins {
			t &^= View
		}
		if v.noGrad {
			t &^= Graph
		}
		return t
	case opCall:
		return v.called()
	case opElem:
		return v.element()
	}
	return 0
}

func (v *value) computed() Trait {
	var all, t Trait
	plain := len(v.in) > 0
	for _, w := range v.in {
		c := w.content()
		all |= c
		plain = plain && c&^Sized == Number
	}
	if plain {
		return Number
	}
	if all&(Tensor|carries) != 0 {
		t = Tensor
	}
	if all&carries != 0 && !v.noGrad {
		t |= Graph | all&(Activation|Loss)
		if v.loss {
			t |= Loss
		}
	}
	if v.loss && v.noGrad {
		t |= Tensor
	}
	if v.partly && t&Tensor != 0 {
		t |= View
	}
	if all&Tensor == 0 {
		t |= all & Array
	}
	if t != 0 && !v.reduces && !v.loss {
		t |= sized(v.in) & Sized
	}
	return t
}

// sized is Sized where one of the values surely has a dimension, or holds one that has. A loss is a number; an array of
// a gradient is as large as it.
func sized(in []*value) Trait {
	for _, w := range in {
		if w.traits&Loss == 0 && w.content()&(Sized|Batch|Parameter|StateDict) != 0 {
			return Sized | w.traits&StateDict
		}
	}
	return 0
}

func (v *value) cut() Trait {
	var t Trait
	for _, w := range v.in {
		c := w.content()
		if c&(Tensor|carries) != 0 {
			t |= Tensor | c&StateDict
			if v.ofParams && c&Parameter != 0 {
				t |= StateDict
			}
		}
		if v.partly {
			t |= c & (View | Activation | Loss)
		}
	}
	if t != 0 && !v.reduces {
		t |= sized(v.in) & Sized
	}
	return t
}

func (v *value) called() Trait {
	fun := v.in[0].traits
	var all Trait
	for _, w := range v.in[1:] {
		all |= w.content()
	}
	switch {
	case fun&Net != 0:
		t := Tensor | Activation
		if v.traits&Loss == 0 {
			t |= Sized
		}
		if !v.noGrad && (!v.in[0].still() || all&Graph != 0) {
			t |= Graph
		}
		return t
	case fun&Differs != 0 && all&carries != 0 && !v.noGrad:
		return Tensor | Graph | Loss
	case fun&Differs != 0 && all&Tensor != 0:
		return Tensor
	}
	return 0
}

// still reports whether the parameters of a module are frozen.
func (v *value) still() bool {
	for depth := 0; v != nil && depth < 6; depth++ {
		if v.frozen {
			return true
		}
		if v.op != opCopy && v.op != opMoved || len(v.in) != 1 {
			return false
		}
		v = v.in[0]
	}
	return false
}

func (v *value) element() Trait {
	in := v.in[0]
	var t Trait
	for _, o := range in.containers() {
		t |= o.elems.traits
	}
	switch c := in.traits; {
	case c&(LoaderValue|Batch) != 0:
		t |= Batch | c&Tensor
	case c&Graph != 0:
		t |= Tensor | Graph | c&(Activation|Loss)
	case c&Net != 0 && c&Tensor == 0:
		t |= Net
	case c&StateDict != 0:
		t |= Tensor | StateDict
	case c&Tensor != 0:
		t |= Tensor | c&(Activation|Parameter|View)
	case c&(Number|Array) != 0:
		t |= Number
	}
	if in.traits&(Sized|Loss) == Sized && (!v.single || in.source().op == opCall) {
		t |= Sized
	}
	if v.noGrad && t&Parameter != 0 {
		t &^= Parameter
	}
	if v.partly && t&Tensor != 0 && in.traits&Loss == 0 && (v.sure || in.whole()) {
		t |= View
	}
	return t
}

// whole reports whether v is surely one tensor, and not a tuple of some.
func (v *value) whole() bool {
	for depth := 0; depth < 6; depth++ {
		switch v.op {
		case opCompute, opCut:
			return true
		case opCall:
			return v.one || v.in[0].name != "" || v.traits&Loss != 0
		case opMoved:
			return true
		case opElem:
			return true
		case opFixed:
			return v.traits&Tensor != 0 && v.scope != Argument
		}
		if len(v.in) != 1 {
			return false
		}
		v = v.in[0]
	}
	return false
}
