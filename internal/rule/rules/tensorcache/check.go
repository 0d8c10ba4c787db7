package tensorcache

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	workspaces(p)
	datasets(p)
	for _, s := range p.Kept(Rule.Name) {
		p.Report(rule.Mark{At: s.At, Severity: rule.Cost(s), Further: rule.Bound(p, s),
			Why: fmt.Sprintf("%s remembers a result for every new key, with the graph that made it. %s", rule.HolderText(s), rule.Behind(s))})
	}
	for _, f := range p.Flow.Functions {
		if f.Node == pysyntax.None || !p.Flow.Torch {
			continue
		}
		decorator := pyflow.UnboundedCache(p.File, f.Node)
		if decorator == pysyntax.None {
			continue
		}
		parameters := p.File.Parameters(f.Node)
		switch {
		case takesTensor(p, f, parameters):
			p.Report(rule.Mark{At: f.Node, Severity: rule.Heavy, Fix: bounded(p.File, decorator),
				Why: fmt.Sprintf("`%s` is cached without a bound and is given tensors: a tensor is equal to itself only, so every call adds an entry that keeps the tensors and the result.", f.Name)})
		case len(parameters) > 0 && parameters[0] != "self" && f.Result.Has(pyflow.Graph):
			p.Report(rule.Mark{At: f.Node, Severity: rule.Heavy, Fix: bounded(p.File, decorator),
				Why: fmt.Sprintf("`%s` is cached without a bound: the cache keeps a result for every argument, and the graph that made it.", f.Name)})
		case len(parameters) > 0 && parameters[0] == "self" && (f.Result.Has(pyflow.Tensor) || speaksOfTensors(p.File.Text(f.Node))):
			p.Report(rule.Mark{At: f.Node, Severity: rule.Heavy, Fix: bounded(p.File, decorator),
				Why: fmt.Sprintf("`%s` is a method that is cached without a bound: the cache keeps every object it was called on, and the results with them.", f.Name)})
		}
	}
}

// speaksOfTensors reports whether the text of a function is that of one that makes tensors.
func speaksOfTensors(text string) bool {
	return strings.Contains(text, "torch.") || strings.Contains(text, `return_tensors="pt"`)
}

// bounded gives the cache room for what one step asks for more than once.
func bounded(f *pysyntax.File, decorator pysyntax.Ref) *rule.Edit {
	name, _, _ := strings.Cut(strings.TrimPrefix(f.Text(decorator), "@"), "(")
	switch {
	case name == "cache" && !f.Mentions("import functools\n"):
		return nil // lru_cache may not be imported
	case strings.HasSuffix(name, "cache") && !strings.HasSuffix(name, "lru_cache"):
		name = "functools.lru_cache"
	}
	n := f.Node(decorator)
	return &rule.Edit{Summary: "Give the cache a bound: `maxsize=8`; a function that computes nothing dear needs none.",
		Edits: []patch.Edit{{Start: n.Start, End: n.End, Text: "@" + name + "(maxsize=8)"}}}
}

// takesTensor reports whether a function is called with a tensor, says that it takes one, or treats an argument as one.
func takesTensor(p *rule.Pass, function *pyflow.Function, parameters []string) bool {
	for _, f := range p.Flow.Functions {
		for _, c := range f.Calls {
			if c.Callee == nil || c.Callee.File != p.File || c.Callee.Node != function.Node {
				continue
			}
			for _, a := range c.Args {
				if a.What.Traits&pyflow.Tensor != 0 {
					return true
				}
			}
		}
	}
	names := map[string]bool{}
	for _, n := range parameters {
		names[n] = true
	}
	for r := range p.File.Walk(function.Node) {
		switch p.File.Kind(r) {
		case pysyntax.Type:
			if text := p.File.Text(r); text == "torch.Tensor" || text == "Tensor" {
				if p.File.Kind(p.File.Parent(r)) == pysyntax.TypedParameter {
					return true
				}
			}
		case pysyntax.Attribute:
			if object := p.File.Child(r, pysyntax.FieldObject); names[p.File.Text(object)] && tensorOnly[p.File.Text(p.File.Child(r, pysyntax.FieldAttribute))] {
				return true
			}
		case pysyntax.Call:
			if computes(p.File, r) {
				for a := range p.File.Children(p.File.Child(r, pysyntax.FieldArguments)) {
					if names[p.File.Text(a)] {
						return true
					}
				}
			}
		case pysyntax.Subscript:
			if names[p.File.Text(p.File.Child(r, pysyntax.FieldValue))] && strings.Contains(p.File.Text(r), "None") {
				return true
			}
		}
	}
	return false
}

// computes reports whether a call is one of PyTorch's that is given tensors.
func computes(f *pysyntax.File, r pysyntax.Ref) bool {
	name, ok := strings.CutPrefix(f.Text(f.Child(r, pysyntax.FieldFunction)), "torch.")
	return ok && tensorFunctions[name]
}

var tensorFunctions = map[string]bool{"cdist": true, "matmul": true, "softmax": true, "cat": true, "stack": true, "einsum": true, "relu": true,
	"sigmoid": true, "tanh": true, "exp": true, "norm": true, "bmm": true, "mm": true, "argsort": true, "topk": true, "unique": true}

// tensorOnly are attributes that plain values do not have.
var tensorOnly = map[string]bool{"device": true, "dtype": true, "unsqueeze": true, "detach": true, "cuda": true, "permute": true, "requires_grad": true, "matmul": true, "softmax": true}
