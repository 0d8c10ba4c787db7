// Package retainedgraph is the rule TL106 retained-graph: retain_graph=True and something that keeps the graph.
package retainedgraph

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed retainedgraph.md
var doc string

// Rule is TL106 retained-graph.
var Rule = rule.Rule{
	ID:    "TL106",
	Name:  "retained-graph",
	Title: "retain_graph=True and something that keeps the graph",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
	Check: check,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("%s leaves the saved activations in the graph, and %s refers to graphs of earlier steps: %s%s."+
		" Without the flag a backward frees the activations as it goes.",
		c.Statement("`backward(retain_graph=True)`"), c.HolderName(), c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	const summary = "Leave out `retain_graph=True`, and detach the tensor that is carried over or kept."
	carried := c.Holder != nil && c.Holder.Kind == "slot"
	if carried || !c.Place.Readable() { // a state that still has its history needs the flag
		return rule.Advice(summary)
	}
	p, err := patch.RemoveKeyword(c.Place, "retain_graph")
	return rule.Patched(summary, false, p, err)
}
