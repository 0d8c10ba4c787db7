// Package hookperstep is the rule TL109 hook-per-step: a hook is registered again and again and never removed.
package hookperstep

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed hookperstep.md
var doc string

// Rule is TL109 hook-per-step.
var Rule = rule.Rule{
	ID:    "TL109",
	Name:  "hook-per-step",
	Title: "a hook is registered again and again and never removed",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
	Check: check,
}

const summary = "Register the hook once, before the loop; or keep the handle and call `handle.remove()` in the same step."

func why(c *rule.Case) string {
	table := "a hook table"
	if c.Holder != nil && c.Holder.Path != "" {
		table = c.HolderName()
	}
	return fmt.Sprintf("%s registers a hook %s and drops the handle, so %s only grows: %s%s."+
		" Every entry keeps the hook and all it closes over, and all of them run in every later pass.",
		c.Statement("The training"), c.Every(), table, c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Advice(summary)
}
