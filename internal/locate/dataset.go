package locate

import (
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Kept is a statement that keeps something, and the holder that it fills.
type Kept struct {
	Place   Place
	Holder  evidence.Holder
	Indexed bool // under the index that was asked for: no more than the data set has samples
	Passing bool // by a name of a running iteration, until that ends
	fresh   bool // in an object that is made for what is handed out: it is kept only if that is
}

// handing are the methods by which a data set hands out what it has.
var handing = []string{"__getitem__", "__getitems__", "__iter__", "__next__"}

// Keeps returns what a data set keeps of what it hands out, as its source says: the statements in the methods that hand
// out, in what makes batches of it, and in all that these call, by which a container of an instance, a class or a module gets
// longer and never empty, or one that an iteration has until it ends. The class is named as Python qualifies it. Nearest to the
// data set come first.
func (l *Locator) Keeps(class, file string) []Kept {
	if class == "" || !l.user(file) {
		return nil
	}
	l.Consider(file)
	var found []Kept
	reached := l.reached(lastPart(class))
	for _, f := range reached {
		for _, e := range f.effects {
			h, ok := l.longer(f, e)
			if !ok || slices.ContainsFunc(found, func(k Kept) bool { return k.Holder.Path == h.Path }) {
				continue
			}
			found = append(found, Kept{
				Place: l.place(f.source, e, nil), Holder: h,
				Indexed: l.indexed(reached, f, e), Passing: h.Scope.Kind == "local",
				fresh: h.Scope.Kind == "attribute" && isMade(reached, h.Scope.Class),
			})
		}
		if decorated := f.Parent(f.definition); f.Kind(decorated) == pysyntax.DecoratedDefinition && f.remembers(decorated) {
			e := effect{action: Cache, statement: decorated, node: decorated, target: f.Child(f.definition, pysyntax.FieldName)}
			found = append(found, Kept{Place: l.place(f.source, e, nil), Holder: evidence.Holder{Kind: "cache", Path: "cache of " + f.Name(f.definition)}})
		}
	}
	slices.SortStableFunc(found, func(a, b Kept) int {
		switch {
		case a.fresh == b.fresh:
			return 0
		case b.fresh:
			return -1
		}
		return 1
	})
	return found
}

// function is a function of a source with what it does itself, functions inside it included.
type function struct {
	*source
	definition pysyntax.Ref
	effects    []effect
}

// reached returns the functions that run when a data set of that class hands something out, breadth first: its methods,
// what makes a batch of samples, and by their names what these call.
func (l *Locator) reached(class string) []function {
	var queue []function
	for _, name := range handing {
		for _, f := range l.functions(name) {
			if of := f.Class(f.definition); of != pysyntax.None && l.related(f.Name(of), class) {
				queue = append(queue, f)
			}
		}
	}
	queue = append(queue, l.collating()...)
	names, followed := l.functionNames(), map[string]bool{}
	for i := 0; i < len(queue); i++ {
		f := queue[i]
		for _, e := range f.effects {
			if f.Kind(e.node) != pysyntax.Call {
				continue
			}
			for _, name := range f.calls(e, names) {
				if followed[name] {
					continue
				}
				followed[name] = true
				for _, c := range append(l.functions(name), l.methods(name, "__init__")...) {
					if !slices.ContainsFunc(queue, c.same) {
						queue = append(queue, c)
					}
				}
			}
		}
	}
	return queue
}

// methods returns those of that name in the classes of that name.
func (l *Locator) methods(class, name string) []function {
	return slices.DeleteFunc(l.functions(name), func(f function) bool {
		of := f.Class(f.definition)
		return of == pysyntax.None || f.Name(of) != class
	})
}

// calls names the functions, of those there are, that a call may run. What is no function's name may be an object of the
// instance, or one that was handed over: a transform.
func (f function) calls(e effect, names map[string]bool) []string {
	if names[e.method] {
		return []string{e.method}
	}
	callee := f.Child(e.node, pysyntax.FieldFunction)
	own := f.Kind(callee) == pysyntax.Attribute && f.selfClass(f.Child(callee, pysyntax.FieldObject)) != ""
	local := f.Kind(callee) == pysyntax.Identifier && f.scopes.Resolve(f.Text(callee), callee) == f.definition
	if e.action == Call && (own || local) {
		return []string{"__call__", "forward"}
	}
	return nil
}

func (f function) same(g function) bool { return f.source == g.source && f.definition == g.definition }

// functionNames has the names of all that can be called: functions, methods and classes.
func (l *Locator) functionNames() map[string]bool {
	names := map[string]bool{}
	for _, s := range l.order {
		for _, kind := range []pysyntax.Kind{pysyntax.FunctionDefinition, pysyntax.ClassDefinition} {
			for _, r := range s.all(kind) {
				names[s.Name(r)] = true
			}
		}
	}
	return names
}

// functions returns all functions and methods of that name.
func (l *Locator) functions(name string) []function {
	var found []function
	for _, s := range l.order {
		for _, r := range s.all(pysyntax.FunctionDefinition) {
			if s.Name(r) != name {
				continue
			}
			f := function{source: s, definition: r}
			for _, e := range s.effects {
				if s.Within(e.node, r) {
					f.effects = append(f.effects, e)
				}
			}
			found = append(found, f)
		}
	}
	return found
}

// longer returns the holder that outlives the call and that an effect makes longer, if there is one. What the source
// empties again, or what has a bound, grows only so far.
func (l *Locator) longer(f function, e effect) (evidence.Holder, bool) {
	switch e.action {
	case SetItem, SetDefault, Append, Extend, Insert, Add, Update:
	default:
		return evidence.Holder{}, false
	}
	if e.action == SetDefault && f.hollow(e.value) { // what goes into that is another effect
		return evidence.Holder{}, false
	}
	target := f.base(e.target)
	h, ok := l.holderOf(f, target, 2)
	if !ok {
		h, ok = f.iterated(target)
	}
	if !ok || l.limited(h, e.action) || f.shortens(target) {
		return h, false
	}
	if _, emptied := l.Empties(h); emptied {
		return h, false
	}
	return h, !l.drops(h)
}

// holderOf is the attribute, of an instance or of a class, or the module's name that an expression stands for, through names of the function's own that
// were given it.
func (l *Locator) holderOf(f function, r pysyntax.Ref, depth int) (evidence.Holder, bool) {
	h := evidence.Holder{Kind: "container"}
	switch f.Kind(r) {
	case pysyntax.Attribute:
		object := f.Child(r, pysyntax.FieldObject)
		class, kind := f.selfClass(object), "attribute"
		if class == "" && f.Kind(object) == pysyntax.Identifier && l.defined(f.Text(object)) {
			class, kind = f.Text(object), "class"
		}
		if class == "" {
			return h, false
		}
		name := f.Text(f.Child(r, pysyntax.FieldAttribute))
		h.Path, h.Scope = class+"."+name, evidence.Scope{Kind: kind, Name: name, Class: class, File: f.Path}
		return h, true
	case pysyntax.Identifier:
		name := f.Text(r)
		if f.scopes.Resolve(name, r) == pysyntax.None && f.scopes.Binds(pysyntax.None, name) {
			h.Path, h.Scope = moduleName(f.Path)+"."+name, evidence.Scope{Kind: "global", Name: name, File: f.Path}
			return h, true
		}
		for _, e := range f.effects {
			if e.action == Assign && f.Says(e.target, name) && depth > 0 {
				return l.holderOf(f, f.base(e.value), depth-1)
			}
		}
	}
	return h, false
}

// limited reports whether what a holder is made as cannot grow by that action: a queue with a bound, or for entries that
// are set by their place anything but a dict.
func (l *Locator) limited(h evidence.Holder, action Action) bool {
	for _, v := range l.variables(h) {
		for _, s := range l.order {
			for _, e := range s.effects {
				if e.action != Assign || v.distance > 0 || l.match(s, e.target, v) == noMatch || s.base(e.target) != e.target {
					continue
				}
				if strings.Contains(s.Text(e.value), "maxlen") || action == SetItem && !s.mapping(e.value) {
					return true
				}
			}
		}
	}
	return false
}

// mapping reports whether an expression makes a dict of some kind, or what kind it makes is not known.
func (s *source) mapping(r pysyntax.Ref) bool {
	switch s.Kind(r) {
	case pysyntax.Dictionary, pysyntax.DictionaryComprehension, pysyntax.NoneValue, pysyntax.Identifier:
		return true
	case pysyntax.Call:
		name := s.lastName(r)
		return strings.Contains(strings.ToLower(name), "dict") || name == "Counter" || strings.Contains(strings.ToLower(name), "cache")
	}
	return false
}

// drops reports whether the source takes single entries out of the holder: it may be a cache that keeps its size.
func (l *Locator) drops(h evidence.Holder) bool {
	for _, v := range l.variables(h) {
		for _, s := range l.order {
			for _, e := range s.effects {
				object := s.Child(e.target, pysyntax.FieldObject)
				if e.action == Call && slices.Contains([]string{"pop", "popitem", "popleft", "remove", "discard"}, e.method) && l.match(s, object, v) != noMatch {
					return true
				}
			}
			for _, r := range s.all(pysyntax.DeleteStatement) {
				if c := s.FirstChild(r); s.Kind(c) == pysyntax.Subscript && l.match(s, c, v) != noMatch {
					return true
				}
			}
		}
	}
	return false
}

// remembers reports a definition that is decorated with a cache without a bound: what it returned for every argument.
func (s *source) remembers(decorated pysyntax.Ref) bool {
	for _, d := range s.decorators(decorated) {
		if !s.caches(d) {
			continue
		}
		size := s.Text(d)
		return s.lastName(d) == "cache" || strings.Contains(size, "maxsize=None") || strings.Contains(size, "(None)")
	}
	return false
}

// Shares returns the statement by which a data set of that class makes what it reads again and again: objects of Python
// that loader workers have of the process which made it. A few large arrays are none.
func (l *Locator) Shares(class, file string) (Kept, bool) {
	if class == "" || !l.user(file) {
		return Kept{}, false
	}
	l.Consider(file)
	reached := l.reached(lastPart(class))
	best, found := 0, Kept{}
	for _, f := range l.functions("__init__") {
		if of := f.Class(f.definition); of == pysyntax.None || !l.related(f.Name(of), lastPart(class)) {
			continue
		}
		for _, e := range f.effects {
			h, ok := l.holderOf(f, e.target, 0)
			if fit := f.objects(e); e.action == Assign && ok && h.Scope.Kind == "attribute" && fit > best && l.reads(reached, h) {
				best, found = fit, Kept{Place: l.place(f.source, e, nil), Holder: h}
			}
		}
	}
	return found, best > 0
}

// objects says how surely an assignment makes many objects of Python; 0: it does not.
func (f function) objects(e effect) int {
	switch f.Kind(e.value) {
	case pysyntax.ListComprehension, pysyntax.DictionaryComprehension:
		return 3
	case pysyntax.Call:
		callee := f.Text(f.Child(e.value, pysyntax.FieldFunction))
		for _, array := range []string{"np.", "numpy.", "torch.", "pa.", "pyarrow."} {
			if strings.HasPrefix(callee, array) {
				return 0
			}
		}
		return 2
	case pysyntax.Identifier:
		if slices.Contains(f.Parameters(f.definition), f.Text(e.value)) {
			return 1 // whatever it was given
		}
	}
	return 0
}

// reads reports whether one of the functions names the holder.
func (l *Locator) reads(functions []function, h evidence.Holder) bool {
	for _, v := range l.variables(h) {
		for _, f := range functions {
			if l.mentioned(f.source, f.definition, v) {
				return true
			}
		}
	}
	return false
}
