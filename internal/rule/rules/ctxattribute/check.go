package ctxattribute

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	callbacks(p)
	for _, f := range p.Flow.Functions {
		if f.Role != pyflow.FunctionForward {
			continue
		}
		parameters := p.File.Parameters(f.Node)
		if len(parameters) == 0 {
			continue
		}
		outputs := returned(p.File, f.Node)
		for _, name := range parameters[1:] {
			delete(outputs, name)
		}
		forget(p.File, f.Node, outputs)
		if p.File.Name(f.Node) == "setup_context" && len(parameters) == 3 {
			outputs[parameters[2]] = true
		}
		for r := range p.File.Walk(f.Node) {
			if p.File.Kind(r) == pysyntax.Assignment && stores(p.File, r, parameters[0], outputs) {
				p.Report(rule.Mark{At: p.File.Statement(r), Severity: rule.Light, Why: fmt.Sprintf(
					"`%s` is an output of the function, kept on the node that made it: output, node and output again are a cycle that waits for Python's collector.",
					p.File.Text(p.File.Child(r, pysyntax.FieldRight))), Fix: repair(p.File, r)})
			}
		}
	}
}

// stores reports whether an assignment gives an attribute of ctx one of the outputs.
func stores(f *pysyntax.File, r pysyntax.Ref, ctx string, outputs map[string]bool) bool {
	left, right := f.Child(r, pysyntax.FieldLeft), f.Child(r, pysyntax.FieldRight)
	return right != pysyntax.None && f.Kind(left) == pysyntax.Attribute && f.Says(f.Child(left, pysyntax.FieldObject), ctx) &&
		(f.Kind(right) == pysyntax.Identifier && outputs[f.Text(right)] || outputs[f.Text(left)])
}

// forget takes the outputs out that are marked as not differentiable: no node refers to them.
func forget(f *pysyntax.File, function pysyntax.Ref, outputs map[string]bool) {
	for r := range f.Walk(function) {
		if f.Kind(r) == pysyntax.Call && strings.HasSuffix(f.Text(f.Child(r, pysyntax.FieldFunction)), ".mark_non_differentiable") {
			for a := range f.Children(f.Child(r, pysyntax.FieldArguments)) {
				delete(outputs, f.Text(a))
			}
		}
	}
}

// returned names the variables that a function returns.
func returned(f *pysyntax.File, function pysyntax.Ref) map[string]bool {
	names := map[string]bool{}
	for r := range f.Walk(function) {
		if f.Kind(r) != pysyntax.ReturnStatement || f.Function(r) != function {
			continue
		}
		value := f.FirstChild(r)
		switch {
		case f.Is(value, pysyntax.Identifier, pysyntax.Attribute):
			names[f.Text(value)] = true
		case f.Is(value, pysyntax.Tuple, pysyntax.ExpressionList):
			for c := range f.Children(value) {
				if f.Is(c, pysyntax.Identifier, pysyntax.Attribute) {
					names[f.Text(c)] = true
				}
			}
		}
	}
	return names
}
