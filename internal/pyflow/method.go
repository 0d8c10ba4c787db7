package pyflow

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

var (
	// What these return is a number, a string or a shape.
	plainMethods = words(`item size dim numel nelement element_size data_ptr is_floating_point is_complex is_contiguous stride get_device
		format join startswith endswith split_ strip lower upper replace encode decode count index read write keys hex storage_offset`)
	mapMethods   = words(`map imap imap_unordered`) // of pools
	arrayMethods = words(`numpy tolist`)
	// These end a graph: what they return is a tensor that was not differentiated into.
	cutMethods = words(`detach argmax argmin argsort eq ne gt lt ge le nonzero bool long int short byte isnan isinf isfinite
		any all equal logical_not logical_and logical_or logical_xor multinomial bincount sample new_zeros new_ones new_empty new_full new_tensor`)
	// These return the same tensor elsewhere or in another type, and a module itself.
	movedMethods = words(`copy cpu cuda to float half double bfloat16 type type_as clone contiguous pin_memory xpu mps npu`)
	// These share storage.
	viewMethods = words(`narrow select unbind chunk split tensor_split diagonal unfold`)
	// These compute one tensor from others.
	tensorMethods = words(`mean sum pow sqrt log exp abs neg max min topk sort norm std var prod softmax log_softmax sigmoid tanh relu
		view reshape squeeze unsqueeze transpose permute t expand expand_as flatten repeat matmul mm bmm dot add sub mul div add_ sub_ mul_ div_
		clamp clamp_ gather scatter scatter_ index_select masked_fill masked_fill_ masked_select where cumsum cumprod logsumexp square
		log_prob rsample entropy mse backward_ view_as repeat_interleave flip roll tril triu addmm amax amin median mode quantile lerp lerp_ scale
		log1p expm1 sin cos erf rsqrt reciprocal nan_to_num movedim swapaxes conj fill_diagonal_ index_add index_add_ true_divide floor_divide
		squeeze_ unsqueeze_ baddbmm outer cross cdist renorm diff cummax cummin retain_grad requires_grad_ scatter_add scatter_add_ tile ravel`)
	selfMethods = words(`cpu cuda to float half double bfloat16 eval train requires_grad_ apply share_memory compile xpu mps type add_module`)
	netMethods  = words(`eval parameters named_parameters modules named_modules children named_children buffers named_buffers register_forward_hook
		register_forward_pre_hook register_full_backward_hook register_backward_hook register_buffer`)
	appenders = words(`append appendleft add put put_nowait insert push`)
	takers    = words(`pop popleft popitem clear remove discard get_nowait`)
)

// methodCall runs `object.name(...)`.
func (it *interp) methodCall(r, callee, objectNode pysyntax.Ref, name string) *value {
	object := it.expression(objectNode)
	if it.submodule(object, objectNode, name) {
		fun := it.attr(object, name, callee)
		it.net(fun)
		args := it.arguments(r)
		v := it.opaque(r, fun, args)
		it.note(r, methodName(name), object, args, v, fun)
		return v
	}
	if v := it.eachCall(r, callee, object, name); v != nil {
		return v
	}
	if o := object.objectWith(name); o != nil && (o.class != nil || o.kind == namespace || o.fields[name] != nil) && !o.fields[name].guessed() {
		if fun := it.member(object, o, name, callee); fun != nil && (fun.object != nil || o.fields[name] != nil) {
			args := it.arguments(r)
			v := it.apply(r, fun, args)
			if m := fun.object; m != nil && m.kind == function && it.tooFar(m.fn) {
				v = it.valueCall(r, callee, object, name, args)
			}
			if fun.object != nil {
				v = it.output(r, fun.object.fn, v)
			}
			it.note(r, called(fun), object, args, v, fun)
			return v
		}
	}
	if imported(object) || object.name == "dict" && name == "fromkeys" {
		fun := it.attr(object, name, callee)
		args := it.arguments(r)
		v := it.apply(r, fun, args)
		it.note(r, called(fun), object, args, v, fun)
		return v
	}
	args := it.arguments(r)
	v := it.containerCall(r, object, objectNode, name, args)
	if v == nil {
		v = it.valueCall(r, callee, object, name, args)
	}
	it.note(r, methodName(name), object, args, v, object)
	return v
}

// eachCall runs a method of what may be one of several objects, each of a class of its own; nil for others.
func (it *interp) eachCall(r, callee pysyntax.Ref, object *value, name string) *value {
	var all []*boundMethod
	for _, o := range object.objects() {
		if o.kind == instance && o.class != nil && it.method(o.class, name, 0) != nil {
			all = append(all, o)
		}
	}
	if len(all) < 2 {
		return nil
	}
	args := it.arguments(r)
	var v *value
	for _, o := range all {
		m := it.method(o.class, name, 0)
		self := &value{object: o, traits: Owner, unit: it.frame.unit}
		v = it.either(v, it.inline(&boundMethod{fn: m, outer: it.global(m.unit), self: self}, args, r), r)
	}
	it.note(r, methodName(name), object, args, v, object)
	return v
}

// submodule reports whether self.name(…) in a module's forward calls what was handed in when the module was made:
// another module, or a function of tensors.
func (it *interp) submodule(object *value, node pysyntax.Ref, name string) bool {
	d := it.frame.fn
	if d == nil || d.class == nil || d.name != "forward" || len(d.params) == 0 || !it.frame.unit.file.Says(node, d.params[0].name) {
		return false
	}
	o := object.instance()
	if o == nil || o.class != d.class || it.method(o.class, name, 0) != nil || netMethods[name] || !it.isModule(o.class) {
		return false
	}
	v := o.fields[name]
	return v != nil && v.object == nil && v.traits == 0 && v.op == opFixed && v != nothing
}

// imported reports whether v is a module, class or function from elsewhere.
func imported(v *value) bool {
	return v.name != "" && v.object == nil && v.op == opFixed && v.traits&Callable != 0 && !strings.HasSuffix(v.name, "()")
}

// containerCall runs the methods of lists, dictionaries, sets and queues; nil where object is none.
func (it *interp) containerCall(r pysyntax.Ref, object *value, node pysyntax.Ref, name string, args []argument) *value {
	known := object.containers()
	if len(known) == 0 {
		if name != "append" && name != "appendleft" && (name != "extend" || len(args) != 1) && name != "clear" && name != "popleft" {
			return nil
		}
		if object.traits&(Net|Optimizer|Number) != 0 || len(args) != 1 && name != "clear" && name != "popleft" {
			return nil
		}
		object = it.held(object)
		if known = object.containers(); len(known) == 0 {
			return nil
		}
		known[0].typ = ""
	}
	switch {
	case appenders[name] && len(args) > 0:
		last := args[len(args)-1]
		if name == "put" || name == "put_nowait" {
			last = args[0]
		}
		it.append(object, last.val, node, last.node, r)
		return nothing
	case (name == "extend" || name == "extendleft") && len(args) == 1:
		it.extend(object, args[0].val, node, args[0].node, r)
		return nothing
	case name == "update":
		for _, a := range args {
			it.updated(r, known, node, a)
		}
		return nothing
	case name == "result" && known[0].typ == "future":
		return it.at(r, opElem, object)
	case takers[name] || name == "get" && len(args) == 0:
		it.empties(object)
		return it.at(r, opElem, object)
	case name == "get", name == "setdefault":
		return it.got(r, object, node, name, args)
	case name == "items":
		return it.items(r, object)
	case name == "values":
		w := it.containerAt(r, "list")
		w.object.elems.feed(it.at(node, opElem, object))
		return w
	case name == "copy":
		return it.sliced(r, object)
	case name == "keys" || name == "index" || name == "count" || name == "qsize" || name == "empty" || name == "full":
		return number
	}
	return nil
}

// updated runs update of a dictionary for one argument.
func (it *interp) updated(r pysyntax.Ref, known []*object, node pysyntax.Ref, a argument) {
	f := it.frame.unit.file
	for pair := range f.Children(a.node) {
		if f.Kind(pair) != pysyntax.Pair || a.name != "" {
			continue
		}
		keys, moving := it.keyValues(f.Child(pair, pysyntax.FieldKey))
		right := f.Child(pair, pysyntax.FieldValue)
		what := it.expression(right)
		for _, o := range known {
			it.store(&event{at: f.Statement(r), value: right, what: what, holder: o, path: f.Text(node), how: Keyed, keys: keys, moving: moving})
		}
	}
	for _, o := range known {
		if a.name != "" {
			it.setKey(o, a.name, a.val)
			continue
		}
		for _, from := range a.val.containers() {
			for key, w := range from.keys {
				it.setKey(o, key, w)
			}
			o.elems.feed(from.elems)
		}
	}
}

// got runs get and setdefault of a dictionary.
func (it *interp) got(r pysyntax.Ref, object *value, node pysyntax.Ref, name string, args []argument) *value {
	f := it.frame.unit.file
	if len(args) == 0 {
		return nothing
	}
	if w := it.entry(object.containers(), constant(f, args[0].node)); w != nil {
		return w
	}
	if name == "setdefault" && len(args) == 2 {
		w := args[1].val
		for _, o := range object.containers() {
			for _, c := range w.containers() {
				c.enter(o)
				c.loops, c.path, c.scope = o.loops, o.path, o.scope
			}
			o.elems.feed(w)
			if len(w.containers()) == 0 {
				keys, moving := it.keyValues(args[0].node)
				it.store(&event{at: f.Statement(r), value: args[1].node, what: w, holder: o, path: f.Text(node), how: Keyed, keys: keys, moving: moving, guard: true})
			}
		}
		return w
	}
	return it.at(r, opElem, object)
}

// items gives pairs of a key and what a dictionary holds.
func (it *interp) items(r pysyntax.Ref, object *value) *value {
	w := it.containerAt(r, "list")
	f := it.frame.unit.file
	pair := it.containerAt(f.Child(r, pysyntax.FieldFunction), "tuple")
	if len(pair.object.parts) == 0 {
		pair.object.parts = []*value{number, it.at(f.Child(r, pysyntax.FieldArguments), opElem, object)}
		w.object.elems.feed(pair)
	}
	return w
}

// valueCall runs methods of tensors, modules and optimizers, known or not.
func (it *interp) valueCall(r, callee pysyntax.Ref, object *value, name string, args []argument) *value {
	f := it.frame.unit.file
	if object == number {
		return number
	}
	if v := it.ownMethod(r, object, name, args); v != nil {
		return v
	}
	first := nothing
	if len(args) > 0 {
		first = args[0].val
	}
	switch {
	case name == "backward" || name == "manual_backward":
		it.backward(r, object, name, args)
		return number
	case name == "enter_context" && first.name != "":
		it.gradMode(first) // the with statement of the stack ends it
		return first
	case name == "detach_":
		if object.op != opFixed {
			it.rebind(f.Child(callee, pysyntax.FieldObject), it.at(r, opCut, object))
		}
		return it.at(r, opCut, object)
	case plainMethods[name]:
		return it.plain(object, name)
	case arrayMethods[name]:
		v := it.at(r, opFixed)
		v.traits |= Array
		v.data = []*value{object}
		it.tensorish(object)
		return v
	case (name == "parameters" || name == "named_parameters") && len(args) == 0:
		return it.parameters(r, object, name)
	case name == "state_dict" && len(args) == 0:
		v := it.at(r, opFixed)
		v.traits |= StateDict
		v.in = []*value{object}
		return v
	case netMethods[name] && !(name == "eval" && len(args) > 0):
		it.net(object)
	case name == "train" && (len(args) == 0 || f.Is(args[0].node, pysyntax.TrueValue, pysyntax.FalseValue)):
		it.eval = len(args) > 0 && f.Kind(args[0].node) == pysyntax.FalseValue
		if len(args) > 0 {
			it.net(object) // a trainer's train takes no such argument
		}
	}
	if name == "eval" && len(args) == 0 {
		it.eval = true
	}
	if name == "requires_grad_" && len(args) > 0 && f.Kind(args[0].node) == pysyntax.FalseValue {
		it.freeze(object)
	}
	if name == "step" && len(args) == 0 {
		for rd := it.loops; rd != nil; rd = rd.outer {
			rd.stepped = true
		}
	}
	if name == "step" && object.traits&Optimizer != 0 {
		it.trainsHere()
		if len(first.objects()) > 0 {
			return it.apply(r, first, nil)
		}
	}
	if strings.HasPrefix(name, "register_") && strings.HasSuffix(name, "hook") && len(args) > 0 {
		v := it.at(r, opFixed)
		v.home = it.frame
		v.hooks = append(v.hooks, it.hook(r, first, name)...)
		return v
	}
	if name == "remove" && len(args) == 0 {
		it.unhook(object)
	}
	if name == "prepare" && len(args) > 0 {
		return it.prepared(r, args)
	}
	if name == "submit" && len(args) > 0 && len(first.objects()) > 0 {
		return it.future(r, it.threaded(r, first, args[1:]))
	}
	if mapMethods[name] && len(args) > 1 && len(first.objects()) > 0 {
		if pool := strings.TrimSuffix(object.source().name, "()"); threadPools[pool] {
			noGrad := it.noGrad
			it.noGrad = false // it is switched off for a thread, and these are others
			v := it.mapped(r, args[0], args[1], name == "map" && !strings.HasSuffix(pool, "Executor"))
			it.noGrad = noGrad
			return v
		}
	}
	if selfMethods[name] && (object.traits&Net != 0 || len(object.objects()) > 0) {
		return object
	}
	if name == "forward" {
		if v := it.ownForward(r, object, args); v != nil {
			return v
		}
	}
	return it.tensorCall(r, callee, object, name, args)
}

// ownForward runs x.forward(…) where nothing is known of x and one class of the file alone has a forward that takes as
// many arguments; nil for others.
func (it *interp) ownForward(r pysyntax.Ref, object *value, args []argument) *value {
	if object.traits != 0 || len(args) < 2 {
		return nil
	}
	if m := it.onlyMethod(object, "forward"); m != nil && len(m.params) == len(args)+1 {
		return it.ofOwn(r, m, args)
	}
	return nil
}

// ownMethod runs a method of a module that was handed in, where one class of the file alone has one of that name; nil for others.
func (it *interp) ownMethod(r pysyntax.Ref, object *value, name string, args []argument) *value {
	if object.traits&Net == 0 || netMethods[name] || selfMethods[name] {
		return nil
	}
	if m := it.onlyMethod(object, name); m != nil && len(m.params) > len(args) {
		return it.ofOwn(r, m, args)
	}
	return nil
}

// onlyMethod is the method of that name where object was handed in, nothing is known of its class, and a module of the
// file is the one class that has it; nil for others.
func (it *interp) onlyMethod(object *value, name string) (m *fn) {
	if o := object.object; o != nil && (o.kind != instance || o.class != nil) || object.scope != Argument {
		return nil
	}
	for _, c := range it.frame.unit.classes {
		if d := c.methods[name]; d != nil {
			if m != nil || !it.isModule(c) || static(d) {
				return nil
			}
			m = d
		}
	}
	return m
}

func (it *interp) ofOwn(r pysyntax.Ref, m *fn, args []argument) *value {
	return it.output(r, m, it.inline(&boundMethod{fn: m, outer: it.global(m.unit), self: it.imagined(m.class)}, args, r))
}

// output marks what a module's method returns to code outside of its class as made by this call.
func (it *interp) output(r pysyntax.Ref, m *fn, v *value) *value {
	if m == nil || m.class == nil || v.shared() || it.frame.fn != nil && it.frame.fn.class == m.class || !it.isModule(m.class) {
		return v
	}
	w := it.keyed(memoKey{r, keyOutput}, opCopy, v)
	w.output = true
	return w
}

func (it *interp) tensorCall(r, callee pysyntax.Ref, object *value, name string, args []argument) *value {
	switch {
	case cutMethods[name]:
		if name == "detach" {
			it.tensorish(object)
		}
		v := it.at(r, opCut, object)
		v.partly = name == "detach"
		v.reduces = reduces(name, args, 0)
		return v
	case movedMethods[name]:
		v := it.at(r, opMoved, object)
		v.joins = name == "clone" || name == "cpu"
		return v
	case tensorMethods[name] || viewMethods[name]:
		v := it.at(r, opCompute, append([]*value{object}, values(args)...)...)
		v.partly = viewMethods[name]
		v.reduces = reduces(name, args, 0)
		return v
	case (name == "items" || name == "values") && (object.traits&StateDict != 0 || object.op == opCall || object.op == opElem):
		return it.at(r, opElem, object)
	case name == "requires_grad_":
		if !object.shared() {
			object.traits |= Tensor | Parameter
		}
		return object
	}
	return it.opaque(r, it.attr(object, name, callee), args)
}

// reducers make one number of a tensor or array, unless they are told a dimension.
var reducers = words(`mean sum std var max min norm median prod amax amin argmax argmin any all logsumexp nanmean nansum average
	percentile quantile ptp count_nonzero equal dot mse`)

// reduces reports whether a call of name gives one number. A dimension may be named, or stand behind the first own
// arguments.
func reduces(name string, args []argument, own int) bool {
	if !reducers[name] {
		return false
	}
	for _, a := range args {
		switch a.name {
		case "dim", "axis":
			return false
		case "":
			own--
		}
	}
	return own >= 0 || name == "norm" || name == "percentile" || name == "quantile" || name == "average" || name == "equal" || name == "dot"
}

// plain is what item() and the like return.
func (it *interp) plain(object *value, name string) *value {
	if name == "item" {
		it.tensorish(object)
	}
	return number
}

// tensorish marks v a tensor, since a method of tensors is called on it.
func (it *interp) tensorish(v *value) {
	if v != nothing && v != number && v.object == nil && v.op != opFixed {
		v.traits |= Tensor
	}
}

// net marks v a module, and what it is a copy of.
func (it *interp) net(v *value) {
	for depth := 0; v != nil && depth < 4; depth++ {
		if v.shared() || v.traits&(Optimizer|Tensor) != 0 || len(v.containers()) > 0 {
			return
		}
		v.traits |= Net
		if v.op != opCopy && v.op != opMoved || len(v.in) != 1 {
			return
		}
		v = v.in[0]
	}
}

func (it *interp) parameters(r pysyntax.Ref, object *value, name string) *value {
	it.net(object)
	f := it.frame.unit.file
	w := it.containerAt(r, "parameters")
	if len(w.object.elems.in) > 0 {
		return w
	}
	p := it.make(r, opFixed)
	p.traits, p.in = Parameter|Tensor, []*value{object}
	if name == "parameters" {
		w.object.elems.feed(p)
		return w
	}
	pair := it.containerAt(f.Child(r, pysyntax.FieldFunction), "tuple")
	pair.object.parts = []*value{number, p}
	w.object.elems.feed(pair)
	return w
}

// prepared is what accelerator.prepare(a, b, …) and fabric.setup return: the same things again.
func (it *interp) prepared(r pysyntax.Ref, args []argument) *value {
	if len(args) == 1 {
		return args[0].val
	}
	w := it.containerAt(r, "tuple")
	w.object.parts = w.object.parts[:0]
	for _, a := range args {
		w.object.parts = append(w.object.parts, a.val)
		w.object.elems.feed(a.val)
	}
	return w
}

// backward runs loss.backward(), accelerator.backward(loss) and their kin.
func (it *interp) backward(r pysyntax.Ref, object *value, name string, args []argument) {
	f := it.frame.unit.file
	what, retain := object, false
	var first *argument
	for i, a := range args {
		if a.name == "retain_graph" || a.name == "create_graph" {
			retain = retain || f.Kind(a.node) == pysyntax.TrueValue
		} else if a.name == "" && first == nil && !a.star {
			first = &args[i]
		}
	}
	root := object.root()
	plain := object.op == opFixed || root == nil || root.op == opCall && !root.in[0].variable()
	if first != nil && first.val != number && (name == "manual_backward" || plain && object.traits&(Tensor|Graph) == 0 && (first.val.root() != nil || first.val.source().op == opElem)) {
		what = first.val
	}
	it.backed(what, retain)
}

func (it *interp) backed(what *value, retain bool) {
	if !it.repeated(deed{0, what, nil, "backward", it.loops}) && len(it.backs) < maxEvents {
		it.backs = append(it.backs, backEvent{what: what, loops: it.loops, retain: retain})
	}
	it.trainsHere()
}

// trainsHere notes that the loops around train.
func (it *interp) trainsHere() {
	for rd := it.loops; rd != nil; rd = rd.outer {
		rd.trains = true
	}
}

// threaded runs a function in another thread, where gradients are on whatever the caller switched off, and returns its
// result.
func (it *interp) threaded(r pysyntax.Ref, fun *value, args []argument) *value {
	noGrad := it.noGrad
	it.noGrad = false
	v := it.apply(r, fun, args)
	it.noGrad = noGrad
	return v
}

// future is what holds the result of a call in another thread; what that was given it holds only until it is done.
func (it *interp) future(r pysyntax.Ref, result *value) *value {
	v := it.containerAt(r, "future")
	v.object.elems.feed(result)
	return v
}

// unhook takes a hook off. Where that is done by whoever put it on, in the same step, it runs once only.
func (it *interp) unhook(handle *value) {
	for _, h := range handles(handle) {
		if it.registeredHere(h) && it.sameStep(h.loops) {
			h.unhook()
		}
	}
}

// handles returns the handles of hooks that v is, or that are in it.
func handles(v *value) []*value {
	if v == nil {
		return nil
	}
	all := []*value{v}
	if v.op == opElem || v.op == opCopy {
		all = append(all, v.in...)
	}
	for _, w := range all {
		for _, o := range w.containers() {
			all = append(all, o.elems.in...)
		}
	}
	return all
}

// registeredHere reports whether a hook was put on by this function, or by one that it called.
func (it *interp) registeredHere(handle *value) bool {
	for _, called := range it.frame.calls {
		if handle.home == called {
			return true
		}
	}
	return handle.home == it.frame
}

// sameStep reports whether no step of this function lies between here and where something was made.
func (it *interp) sameStep(made *round) bool {
	for _, rd := range it.frame.round {
		if (rd.trains || rd.loader) && !(it.loops.in(rd) && made.in(rd)) {
			return false
		}
	}
	return true
}

// unhook notes that the calls of a hook are not repeated.
func (v *value) unhook() {
	for _, rd := range v.hooks {
		rd.removed = true
	}
}

// rebind gives the name or attribute at r another value.
func (it *interp) rebind(r pysyntax.Ref, v *value) {
	if it.frame.unit.file.Is(r, pysyntax.Identifier, pysyntax.Attribute) {
		it.target(r, v, r)
	}
}
