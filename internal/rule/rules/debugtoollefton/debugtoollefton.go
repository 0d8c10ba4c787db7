// Package debugtoollefton is the rule TL118 debug-tool-left-on: a profiler, anomaly mode or open figures keep what they record.
package debugtoollefton

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed debugtoollefton.md
var doc string

// Rule is TL118 debug-tool-left-on.
var Rule = rule.Rule{
	ID:    "TL118",
	Name:  "debug-tool-left-on",
	Title: "a profiler, anomaly mode or open figures keep what they record",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
	Check: check,
}

func why(c *rule.Case) string {
	text := fmt.Sprintf("%s stays on, or open, during the training, and keeps what it records%s", c.Statement("A debugging tool"), c.Cost())
	if c.Tensors > 0 || c.Elements > 0 {
		text += ": " + c.Survival()
	}
	return text + ". Nothing of it is freed before it is stopped or closed."
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Advice("Profile a few steps only (`torch.profiler.schedule`), switch anomaly mode off for real trainings, and call `plt.close(figure)` once a figure was saved.")
}
