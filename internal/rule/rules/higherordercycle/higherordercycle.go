// Package higherordercycle is the rule TL107 higher-order-cycle: backward(create_graph=True) makes a cycle through .grad.
package higherordercycle

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed higherordercycle.md
var doc string

// Rule is TL107 higher-order-cycle.
var Rule = rule.Rule{
	ID:    "TL107",
	Name:  "higher-order-cycle",
	Title: "backward(create_graph=True) makes a cycle through .grad",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("%s leaves gradients with a graph of their own in `.grad`: parameter → `.grad` → graph → parameter is a circle through C++: %s%s."+
		" Python's collector cannot see it, so it is freed only when `.grad` is set to None.",
		c.Statement("`backward(create_graph=True)`"), c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Advice("Use `torch.autograd.grad(loss, parameters, create_graph=True)`, which leaves `.grad` alone; or set every `.grad` to None at the end of the step.")
}
