// Package carriedstate is the rule TL108 carried-state: state is carried over with its history.
package carriedstate

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
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
	// The result of a call is often used for the loss of the same step (and may be a tuple): cutting it there would
	// change the training.
	if c.Place.Value == "" || c.Place.Action == locate.Evaluate || call.MatchString(c.Place.Value) {
		return rule.Advice(fmt.Sprintf("Cut the history where the state passes from one step to the next: `%[1]s = %[1]s.detach()` once the step is done (for a tuple, each of its tensors).", name(c)))
	}
	return rule.WrapStored(c, "Cut the history: `.detach()`, or update the state under `torch.no_grad()`.", ".detach()", false)
}

var call = regexp.MustCompile(`(?s)^[\w.]+\(.*\)$`)

func name(c *rule.Case) string {
	if c.Place.Target != "" && !strings.ContainsAny(c.Place.Target, ", ") {
		return c.Place.Target
	}
	return "state"
}
