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
		initial, get := method(f, r, "__init__"), method(f, r, "__getitem__")
		if initial == pysyntax.None || get == pysyntax.None {
			continue
		}
		for a := range f.Walk(initial) {
			if name, ok := manyObjects(f, a, f.Parameters(initial)); ok && reads(f, get, name) {
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

func method(f *pysyntax.File, class pysyntax.Ref, name string) pysyntax.Ref {
	for c := range f.Children(f.Body(class)) {
		if f.Kind(c) == pysyntax.DecoratedDefinition {
			c = f.Child(c, pysyntax.FieldDefinition)
		}
		if f.Kind(c) == pysyntax.FunctionDefinition && f.Name(c) == name {
			return c
		}
	}
	return pysyntax.None
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
		return name, large(f, right, parameters) && !loadsData(f, right)
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

// loadsData reports whether each element is a tensor or array: those are few and large.
func loadsData(f *pysyntax.File, r pysyntax.Ref) bool {
	body := f.Text(f.Child(r, pysyntax.FieldBody))
	return strings.Contains(body, "torch.") || strings.Contains(body, "np.") || strings.Contains(body, "numpy")
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
