// Package carriedstate is the rule TL108 carried-state: state is carried over with its history.
package carriedstate

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed carriedstate.md
var doc string

// Rule is TL108 carried-state.
var Rule = rule.Rule{
	ID:    "TL108",
	Name:  "carried-state",
	Title: "state is carried over with its history",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("%s is computed from its own value of the step before and keeps that history: %s%s."+
		" The tensor has the same size in every step; the chain of graph nodes behind it is what grows.",
		c.HolderName(), c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	return rule.WrapStored(c.Place, "Cut the history where the state passes from one step to the next: `.detach()`, or update it under `torch.no_grad()`.", ".detach()", false)
}
