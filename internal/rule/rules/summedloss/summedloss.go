// Package summedloss is the rule TL103 summed-loss: a running sum keeps the graph of everything added.
package summedloss

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed summedloss.md
var doc string

// Rule is TL103 summed-loss.
var Rule = rule.Rule{
	ID:    "TL103",
	Name:  "summed-loss",
	Title: "a running sum keeps the graph of everything added",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("%s is a sum or average built from tensors with a graph, so its own graph contains that of every step: %s%s."+
		" The name refers to one scalar only; what grows is the chain behind its grad_fn.", c.HolderName(), c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	return rule.WrapStored(c, "Add the value without its graph: `.detach()`, or `.item()` for a plain number.", ".detach()", true)
}
