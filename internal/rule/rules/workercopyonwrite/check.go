package workercopyonwrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// check remarks on data sets that keep many Python objects in a list or dict that __getitem__ reads.
func check(p *rule.Pass) {
	f := p.File
	if !workers(p) {
		return
	}
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) != pysyntax.ClassDefinition || !dataset(f, r) {
			continue
		}
		initial, get := f.Method(r, "__init__"), f.Method(r, "__getitem__")
		if initial == pysyntax.None || get == pysyntax.None {
			continue
		}
		parameters := f.Parameters(initial)
		for a := range f.Walk(initial) {
			name, ok := manyObjects(f, a, parameters)
			if !ok {
				name, ok = appended(f, a)
			}
			if ok && reads(f, get, name) {
				p.Report(rule.Mark{At: a, Severity: rule.Remark, Fix: &rule.Edit{
					Summary: "Keep few large objects instead of many small ones: a NumPy array or a tensor has one reference count for all its elements."},
					Why: fmt.Sprintf("`self.%s` may hold many Python objects. Reading one changes its reference count, so each loader worker copies the list page by page into memory of its own.", name)})
			}
		}
	}
}

// workers reports whether a loader of the file may have worker processes. A file without a loader only defines data
// sets, for loaders that are not in sight.
func workers(p *rule.Pass) bool {
	loaders, parallel := 0, false
	rule.EachCall(p, func(c *pyflow.Call) {
		if !strings.HasSuffix(c.Name, "DataLoader") {
			return
		}
		loaders++
		if n, ok := rule.Keyword(c, "num_workers"); ok && p.File.Text(n.Node) != "0" {
			parallel = true
		}
	})
	return loaders == 0 || parallel
}

func dataset(f *pysyntax.File, class pysyntax.Ref) bool {
	for base := range f.Children(f.Child(class, pysyntax.FieldSuperclasses)) {
		text, _, _ := strings.Cut(f.Text(base), "[")
		if strings.HasSuffix(text, "Dataset") && !strings.Contains(text, "Iterable") {
			return true
		}
	}
	return false
}

// makers are calls that make a Python object of each line, row or entry of what may be large.
var makers = []string{"json.load", "json.loads", "pickle.load", "csv.reader", "csv.DictReader", "yaml.safe_load", "readlines",
	"splitlines", "tolist", "to_list", "to_dict", "glob", "rglob", "iglob", "walk", "listdir", "scandir", "iterdir"}

// manyObjects reports whether a is self.name = a list or dict that may be large: made of a parameter, or of a file.
func manyObjects(f *pysyntax.File, a pysyntax.Ref, parameters []string) (name string, ok bool) {
	if f.Kind(a) != pysyntax.Assignment {
		return "", false
	}
	left, right := f.Child(a, pysyntax.FieldLeft), f.Child(a, pysyntax.FieldRight)
	if f.Kind(left) != pysyntax.Attribute || !f.Says(f.Child(left, pysyntax.FieldObject), "self") || right == pysyntax.None {
		return "", false
	}
	name = f.Text(f.Child(left, pysyntax.FieldAttribute))
	switch f.Kind(right) {
	case pysyntax.ListComprehension, pysyntax.DictionaryComprehension:
		return name, large(f, right, parameters) && object(f, f.Child(right, pysyntax.FieldBody))
	case pysyntax.Call:
		callee := f.Text(f.Child(right, pysyntax.FieldFunction))
		if slices.Contains([]string{"list", "sorted", "dict", "tuple"}, callee) {
			return name, large(f, f.Child(right, pysyntax.FieldArguments), parameters)
		}
		return name, maker(callee)
	}
	return "", false
}

// large reports whether a maker is called in r, or a parameter other than self named there.
func large(f *pysyntax.File, r pysyntax.Ref, parameters []string) bool {
	for c := range f.Walk(r) {
		switch f.Kind(c) {
		case pysyntax.Call:
			if callee := f.Child(c, pysyntax.FieldFunction); maker(f.Text(callee)) {
				return true
			}
		case pysyntax.Identifier:
			if name := f.Text(c); name != "self" && slices.Contains(parameters, name) && f.Node(c).Field != pysyntax.FieldAttribute {
				return true
			}
		}
	}
	return false
}

// object reports whether an element is evidently a Python object of its own: a tuple, dict, string or number. What is
// looked up somewhere may be a view of a tensor or an array.
func object(f *pysyntax.File, element pysyntax.Ref) bool {
	switch f.Kind(element) {
	case pysyntax.Tuple, pysyntax.Dictionary, pysyntax.List, pysyntax.String, pysyntax.Pair, pysyntax.Identifier:
		return true
	case pysyntax.Call:
		callee := f.Text(f.Child(element, pysyntax.FieldFunction))
		return slices.Contains(objectMakers, callee[strings.LastIndexByte(callee, '.')+1:])
	}
	return false
}

// objectMakers are functions and methods that return strings, numbers, tuples, lists, dicts or paths.
var objectMakers = []string{"str", "int", "float", "dict", "tuple", "list", "join", "Path", "loads", "strip", "rstrip", "split",
	"rsplit", "format", "lower", "decode", "replace", "as_posix"}

// appended reports whether a is self.name.append(…) of a Python object in a loop over what may be large.
func appended(f *pysyntax.File, a pysyntax.Ref) (name string, ok bool) {
	if f.Kind(a) != pysyntax.Call {
		return "", false
	}
	method := f.Child(a, pysyntax.FieldFunction)
	holder := f.Child(method, pysyntax.FieldObject)
	if f.Kind(method) != pysyntax.Attribute || !f.Says(f.Child(method, pysyntax.FieldAttribute), "append") ||
		f.Kind(holder) != pysyntax.Attribute || !f.Says(f.Child(holder, pysyntax.FieldObject), "self") {
		return "", false
	}
	loop := f.Enclosing(a, pysyntax.ForStatement, pysyntax.FunctionDefinition)
	if f.Kind(loop) != pysyntax.ForStatement || rule.Short(f, loop) {
		return "", false
	}
	element := f.FirstChild(f.Child(a, pysyntax.FieldArguments))
	ok = f.Is(element, pysyntax.Tuple, pysyntax.Dictionary, pysyntax.String) || f.Kind(element) == pysyntax.Call && object(f, element)
	return f.Text(f.Child(holder, pysyntax.FieldAttribute)), ok
}

func maker(callee string) bool {
	for _, m := range makers {
		if callee == m || strings.HasSuffix(callee, "."+m) {
			return true
		}
	}
	return false
}

// reads reports whether self.name is used in function.
func reads(f *pysyntax.File, function pysyntax.Ref, name string) bool {
	for r := range f.Walk(function) {
		if f.Kind(r) == pysyntax.Attribute && f.Says(r, "self."+name) {
			return true
		}
	}
	return false
}
