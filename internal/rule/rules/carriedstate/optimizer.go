package carriedstate

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// optimizers finds optimizers whose step computes with the parameters themselves while gradients are on: what is kept in
// the state from step to step then has a graph, which grows by every step.
func optimizers(p *rule.Pass) {
	f := p.File
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) != pysyntax.FunctionDefinition || f.Name(r) != "step" || f.Class(r) == pysyntax.None || !isOptimizer(f, f.Class(r)) {
			continue
		}
		around := f.Text(r)
		if decorated := f.Parent(r); f.Kind(decorated) == pysyntax.DecoratedDefinition {
			around = f.Text(decorated)
		}
		if strings.Contains(around, "no_grad") || strings.Contains(around, "set_grad_enabled") || strings.Contains(around, "differentiable") {
			continue
		}
		if at := carries(f, r); at != pysyntax.None {
			m := rule.Mark{At: at, Severity: rule.Heavy, Fix: &rule.Edit{Summary: "Put `@torch.no_grad()` above `step`."}, Why: fmt.Sprintf(
				"`step` runs with gradients on and computes with the parameters, so `%s` carries a graph that grows with every step.", f.Text(f.Child(f.FirstChild(at), pysyntax.FieldLeft)))}
			if edits, err := patch.Decorate(f, r, "@torch.no_grad()"); err == nil && !strings.Contains(around, "closure()") {
				m.Fix.Edits, m.Fix.Safe = edits, true
			}
			p.Report(m)
		}
	}
}

func isOptimizer(f *pysyntax.File, class pysyntax.Ref) bool {
	for base := range f.Children(f.Child(class, pysyntax.FieldSuperclasses)) {
		if text := f.Text(base); text == "Optimizer" || strings.HasSuffix(text, ".Optimizer") {
			return true
		}
	}
	return false
}

// carries returns a statement that makes an entry of the state from itself, in a function that calculates with what it
// keeps the state of.
func carries(f *pysyntax.File, function pysyntax.Ref) pysyntax.Ref {
	at, parameters := pysyntax.None, map[string]bool{}
	for r := range f.Walk(function) {
		switch f.Kind(r) {
		case pysyntax.Assignment:
			left, right := f.Child(r, pysyntax.FieldLeft), f.Child(r, pysyntax.FieldRight)
			if f.Kind(left) == pysyntax.Subscript && right != pysyntax.None && f.Kind(f.Parent(r)) == pysyntax.ExpressionStatement &&
				strings.Contains(f.Text(left), "state") && len(occurrences(f, right, f.Text(left))) > 0 {
				at = f.Parent(r)
			}
		case pysyntax.ForStatement:
			if strings.Contains(f.Text(f.Child(r, pysyntax.FieldRight)), "params") {
				parameters[f.Text(f.Child(r, pysyntax.FieldLeft))] = true
			}
		}
	}
	for r := range f.Walk(function) {
		if f.Kind(r) == pysyntax.Identifier && parameters[f.Text(r)] && f.Kind(f.Parent(r)) == pysyntax.BinaryOperator {
			return at
		}
	}
	return pysyntax.None
}
