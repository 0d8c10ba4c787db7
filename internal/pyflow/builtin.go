package pyflow

import "github.com/torchleak/torchleak/internal/pysyntax"

// builtin is the result of a builtin function or of a name that nothing is known of.
func (it *interp) builtin(r pysyntax.Ref, name string, args []argument) *value {
	first := nothing
	if len(args) > 0 {
		first = args[0].val
	}
	if name == "id" && len(args) == 1 {
		v := it.keyed(memoKey{r, keyPart}, opFixed)
		v.traits, v.in, v.counter = Number, []*value{first}, true
		return v
	}
	if plainBuiltins[name] {
		return number
	}
	switch name {
	case "list", "tuple", "sorted", "reversed", "set", "iter", "dict", "OrderedDict":
		return it.listed(r, name, args)
	case "deque", "defaultdict", "Counter", "Queue":
		return it.collection(r, name, args)
	case "enumerate", "zip":
		return it.zipped(r, name, args)
	case "next":
		return it.part(first, r)
	case "tqdm", "trange", "cycle":
		return it.through(r, args)
	case "max", "min":
		if len(args) > 1 { // one of them
			return it.at(r, opCopy, values(args)...)
		}
		return it.at(r, opCompute, it.part(first, it.frame.unit.file.Child(r, pysyntax.FieldArguments)))
	case "sum", "abs", "pow":
		if len(args) == 1 && name != "abs" {
			return it.at(r, opCompute, it.part(first, it.frame.unit.file.Child(r, pysyntax.FieldArguments)))
		}
		return it.at(r, opCompute, values(args)...)
	case "range":
		v := it.at(r, opFixed)
		v.traits |= Number
		return v
	case "type":
		if o := first.instance(); len(args) == 1 && o != nil && o.class != nil {
			return it.classOf(o)
		}
		return number
	case "getattr":
		return it.getattr(r, args)
	case "setattr":
		it.setattr(args)
		return number
	case "map", "filter":
		if len(args) > 1 {
			return it.mapped(r, args[0], args[1], false)
		}
	case "deepcopy":
		return it.copied(r, args)
	}
	v := it.opaque(r, &value{name: name, op: opFixed, traits: Callable}, args)
	return v
}

func (it *interp) getattr(r pysyntax.Ref, args []argument) *value {
	f := it.frame.unit.file
	if len(args) < 2 {
		return nothing
	}
	if name := constant(f, args[1].node); name != "" {
		return it.attr(args[0].val, name, r)
	}
	return it.at(r, opElem, args[0].val)
}

// setattr with a name that is not written out may empty any container of the object.
func (it *interp) setattr(args []argument) {
	f := it.frame.unit.file
	if len(args) != 3 || it.loops == nil {
		return
	}
	name := constant(f, args[1].node)
	for _, o := range args[0].val.objects() {
		for field, v := range o.fields {
			if name == "" || name == field {
				it.empties(v)
			}
		}
	}
}

// mapped is what fun makes of each element of over. Where all of that is gathered, as by list(map(…)), it stays there
// from element to element.
func (it *interp) mapped(r pysyntax.Ref, fun, over argument, gathers bool) *value {
	w := it.containerAt(r, "list")
	outer, cond := it.loops, it.cond
	turns := it.turns(r)
	turns.loader = turns.loader || it.loads(over.val)
	it.loops, it.cond = turns, 0
	elem := it.apply(r, fun.val, []argument{{node: over.node, val: it.part(over.val, over.node)}})
	w.object.elems.feed(elem)
	list := r
	if !gathers {
		list = it.gathering(r)
	}
	if list != pysyntax.None {
		it.store(&event{at: it.frame.unit.file.Statement(r), value: r, what: elem, holder: w.object, path: it.called(list), how: Appended, gathered: true})
	}
	it.loops, it.cond = outer, cond
	return w
}

// gathering is the call that makes a list of what is made at r, None where none does.
func (it *interp) gathering(r pysyntax.Ref) pysyntax.Ref {
	f := it.frame.unit.file
	call := f.Parent(f.Parent(r))
	if f.Kind(f.Parent(r)) != pysyntax.ArgumentList || f.Kind(call) != pysyntax.Call {
		return pysyntax.None
	}
	if made := f.Child(call, pysyntax.FieldFunction); f.Says(made, "list") || f.Says(made, "tuple") {
		return call
	}
	return pysyntax.None
}

// listed is a new container of what is in the first argument.
func (it *interp) listed(r pysyntax.Ref, name string, args []argument) *value {
	if len(args) == 1 && args[0].val.traits&LoaderValue != 0 {
		return args[0].val
	}
	typ := name
	switch name {
	case "sorted", "reversed", "iter":
		typ = "list"
	case "OrderedDict":
		typ = "dict"
	}
	w := it.containerAt(r, typ)
	for _, a := range args {
		if a.name != "" {
			it.setKey(w.object, a.name, a.val)
			continue
		}
		for _, o := range a.val.containers() {
			for key, v := range o.keys {
				it.setKey(w.object, key, v)
			}
		}
		w.object.elems.feed(it.part(a.val, a.node))
		break
	}
	return w
}

// collection makes a deque, a queue or a defaultdict.
func (it *interp) collection(r pysyntax.Ref, name string, args []argument) *value {
	f := it.frame.unit.file
	switch name {
	case "deque", "Queue", "LifoQueue", "PriorityQueue", "SimpleQueue", "defaultdict", "OrderedDict", "Counter", "JoinableQueue":
	case "namedtuple":
		return it.at(r, opFixed)
	default:
		return it.opaque(r, it.at(r, opFixed), args)
	}
	typ := map[string]string{"deque": "deque", "defaultdict": "dict", "OrderedDict": "dict", "Counter": "dict"}[name]
	if typ == "" {
		typ = "queue"
	}
	w := it.containerAt(r, typ)
	for i, a := range args {
		if a.name == "maxlen" || a.name == "maxsize" || typ == "queue" && i == 0 || typ == "deque" && i == 1 {
			w.object.bounded = w.object.bounded || f.Kind(a.node) != pysyntax.NoneValue
		} else if typ == "deque" && i == 0 {
			w.object.elems.feed(it.part(a.val, a.node))
		}
	}
	return w
}

// zipped gives tuples of a counter or several elements.
func (it *interp) zipped(r pysyntax.Ref, name string, args []argument) *value {
	w := it.containerAt(r, "list")
	tuple := it.containerAt(it.frame.unit.file.Child(r, pysyntax.FieldArguments), "tuple")
	if len(tuple.object.parts) > 0 {
		return w
	}
	if name == "enumerate" {
		counter := it.make(r, opElem, fixed(Number))
		counter.counter = true
		tuple.object.parts = append(tuple.object.parts, counter)
	}
	for _, a := range args {
		if a.name == "" {
			tuple.object.parts = append(tuple.object.parts, it.part(a.val, a.node))
			if it.loads(a.val) {
				w.traits |= LoaderValue
			}
		}
		if name == "enumerate" {
			break
		}
	}
	w.object.elems.feed(tuple)
	return w
}
