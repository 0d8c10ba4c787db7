package pyflow

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// unit is one file: what it defines and what it imports, without a look into bodies.
type unit struct {
	file    *pysyntax.File
	path    string
	module  string // its path without .py or /__init__.py
	imports map[string]string
	stars   []string
	classes map[string]*class
	funcs   map[string]*fn
	byNode  map[pysyntax.Ref]*fn
	classOf map[pysyntax.Ref]*class
	order   []*fn
	sets    map[string]pysyntax.Ref // assignments of the module's own code
	emptied map[string]bool
	called  map[string]*callers
	losses  map[string]bool // variables that are loss functions, by the name alone
	given   map[string]bool // "function#position" or "function#keyword" that is given one
	without pysyntax.Ref    // where gradients are off, the last one that mentions came by
	torch   bool
	signs   []uint32 // where it speaks of training, evaluation or data
	own     bool     // the module's own code makes a container that is appended to
}

// fn is one function, method or lambda.
type fn struct {
	unit   *unit
	node   pysyntax.Ref
	name   string
	qual   string
	class  *class
	params []param
	marks  []string // decorators, qualified, without arguments
	called bool     // some method of the same class calls it
}

type param struct {
	name     string
	node     pysyntax.Ref
	deflt    pysyntax.Ref
	note     string // its annotation
	star     bool   // *args, **keywords
	keywords bool   // **keywords
}

// class is one class of the source.
type class struct {
	unit    *unit
	node    pysyntax.Ref
	name    string
	bases   []string // qualified as far as the file says
	methods map[string]*fn
	attrs   map[string]pysyntax.Ref
}

func newUnit(f *pysyntax.File) *unit {
	u := &unit{file: f, path: slashed(f.Path), imports: map[string]string{}, classes: map[string]*class{}, funcs: map[string]*fn{},
		byNode: map[pysyntax.Ref]*fn{}, classOf: map[pysyntax.Ref]*class{}, sets: map[string]pysyntax.Ref{},
		emptied: map[string]bool{}, called: map[string]*callers{}, losses: map[string]bool{}, given: map[string]bool{}}
	u.module = moduleOf(u.path)
	for r := pysyntax.Ref(1); int(r) < f.Len(); r++ {
		u.collect(r)
	}
	for _, c := range u.classes {
		u.finish(c)
	}
	for _, d := range u.order {
		d.marks = u.decorators(d.node)
	}
	u.mentions()
	u.signs, u.own = asking(f.Source), ownContainer(f.Source)
	return u
}

func (u *unit) collect(r pysyntax.Ref) {
	f := u.file
	switch f.Kind(r) {
	case pysyntax.ImportStatement, pysyntax.ImportFromStatement:
		u.imported(r)
	case pysyntax.FunctionDefinition, pysyntax.Lambda:
		u.function(r)
	case pysyntax.ClassDefinition:
		c := &class{unit: u, node: r, name: f.Name(r), methods: map[string]*fn{}, attrs: map[string]pysyntax.Ref{}}
		u.classOf[r] = c
		u.classes[c.name] = c
	case pysyntax.Assignment:
		left := f.Child(r, pysyntax.FieldLeft)
		u.loss(left, f.Child(r, pysyntax.FieldRight))
		if left == pysyntax.None || f.Kind(left) != pysyntax.Identifier {
			return
		}
		holder := f.Parent(f.Parent(r))
		if holder == pysyntax.None {
			u.sets[f.Text(left)] = r
		} else if c := u.classOf[f.Parent(holder)]; f.Kind(holder) == pysyntax.Block && c != nil {
			c.attrs[f.Text(left)] = r
		} else if c := u.classOf[holder]; c != nil {
			c.attrs[f.Text(left)] = r
		}
	}
}

// loss notes a variable that is assigned one of PyTorch's loss functions, maybe moved to a device.
func (u *unit) loss(left, right pysyntax.Ref) {
	f := u.file
	for right != pysyntax.None && f.Kind(right) == pysyntax.Call {
		callee := f.Child(right, pysyntax.FieldFunction)
		if f.Kind(callee) == pysyntax.Attribute && f.Kind(f.Child(callee, pysyntax.FieldObject)) == pysyntax.Call {
			right = f.Child(callee, pysyntax.FieldObject)
			continue
		}
		if q, ok := strings.CutPrefix(canonical(u.qualify(f.Text(callee))), "torch.nn."); ok && lossClasses[q] {
			u.losses[f.Text(left)] = true
		}
		return
	}
}

func (u *unit) function(r pysyntax.Ref) {
	f := u.file
	d := &fn{unit: u, node: r, name: f.Name(r)}
	d.qual = d.name
	for p := range f.Children(f.Child(r, pysyntax.FieldParameters)) {
		d.params = append(d.params, parameter(f, p)...)
	}
	if node := f.Class(r); node != pysyntax.None {
		if c := u.classOf[node]; c != nil {
			d.class = c
			c.methods[d.name] = d
			d.qual = c.name + "." + d.name
		}
	} else if outer := u.byNode[f.Function(r)]; outer != nil && f.Kind(r) != pysyntax.Lambda {
		d.qual = outer.qual + "." + d.name
	} else if f.Kind(r) != pysyntax.Lambda {
		u.funcs[d.name] = d
	}
	u.byNode[r] = d
	u.order = append(u.order, d)
}

func parameter(f *pysyntax.File, p pysyntax.Ref) []param {
	q := param{node: p}
	switch f.Kind(p) {
	case pysyntax.Identifier:
		q.name = f.Text(p)
	case pysyntax.DefaultParameter, pysyntax.TypedDefaultParameter:
		q.name, q.deflt = f.Text(f.Child(p, pysyntax.FieldName)), f.Child(p, pysyntax.FieldValue)
	case pysyntax.TypedParameter:
		c := f.FirstChild(p)
		q.star, q.keywords = f.Kind(c) != pysyntax.Identifier, f.Kind(c) == pysyntax.DictionarySplatPattern
		q.name = strings.TrimLeft(f.Text(c), "*")
	case pysyntax.ListSplatPattern, pysyntax.DictionarySplatPattern:
		q.name, q.star, q.keywords = strings.TrimLeft(f.Text(p), "*"), true, f.Kind(p) == pysyntax.DictionarySplatPattern
	default:
		return nil
	}
	if t := f.Child(p, pysyntax.FieldType); t != pysyntax.None {
		q.note = f.Text(t)
	}
	return []param{q}
}

// fields are those of a dataclass or named tuple in the order of its source, none of other classes.
func (c *class) fields() []string {
	named := slices.ContainsFunc(c.bases, func(q string) bool { return strings.HasSuffix(q, "NamedTuple") })
	if !named && !slices.ContainsFunc(c.unit.decorators(c.node), func(mark string) bool { return strings.HasSuffix(mark, "dataclass") }) {
		return nil
	}
	return slices.SortedFunc(maps.Keys(c.attrs), func(a, b string) int { return cmp.Compare(c.attrs[a], c.attrs[b]) })
}

func (u *unit) finish(c *class) {
	f := u.file
	for b := range f.Children(f.Child(c.node, pysyntax.FieldSuperclasses)) {
		if f.Is(b, pysyntax.Identifier, pysyntax.Attribute) {
			c.bases = append(c.bases, u.qualify(f.Text(b)))
		} else if f.Kind(b) == pysyntax.Subscript {
			c.bases = append(c.bases, u.qualify(f.Text(f.Child(b, pysyntax.FieldValue))))
		}
	}
	for _, m := range c.methods {
		for r := range f.Walk(m.node) {
			if f.Kind(r) == pysyntax.Attribute && f.Says(f.Child(r, pysyntax.FieldObject), "self") {
				if other := c.methods[f.Text(f.Child(r, pysyntax.FieldAttribute))]; other != nil && other != m {
					other.called = true
				}
			}
		}
	}
}

// qualify replaces the first name of a dotted text by what it was imported as.
func (u *unit) qualify(text string) string {
	first, rest, dotted := strings.Cut(text, ".")
	if q, ok := u.imports[first]; ok {
		first = q
	}
	if dotted {
		return first + "." + rest
	}
	return first
}

func (u *unit) decorators(r pysyntax.Ref) []string {
	f := u.file
	if f.Kind(f.Parent(r)) != pysyntax.DecoratedDefinition {
		return nil
	}
	var marks []string
	for c := range f.Children(f.Parent(r)) {
		if f.Kind(c) == pysyntax.Decorator {
			text, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(f.Text(c), "@")), "(")
			marks = append(marks, canonical(u.qualify(text)))
			if own := u.funcs[text]; own != nil && gradOff([]string{f.Text(own.node)}) {
				marks = append(marks, "torch.no_grad") // what the decorator wraps runs within it
			}
		}
	}
	return marks
}
