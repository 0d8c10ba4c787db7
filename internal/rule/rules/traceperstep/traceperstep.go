// Package traceperstep is the rule TL121 trace-per-step: a model is traced, scripted or compiled again and again.
package traceperstep

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed traceperstep.md
var doc string

// Rule is TL121 trace-per-step.
var Rule = rule.Rule{
	ID:    "TL121",
	Name:  "trace-per-step",
	Title: "a model is traced, scripted or compiled again and again",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
	Check: check,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("%s runs %s%s, and what a trace registers in the process is not freed with its Python object."+
		" So every call leaves its types and functions behind.", c.Statement("A trace"), c.Every(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Advice("Trace or compile once, outside the loop; run periodic exports in a child process that ends.")
}
