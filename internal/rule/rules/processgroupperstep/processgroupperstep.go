// Package processgroupperstep is the rule TL116 process-group-per-step: process groups are made again and again.
package processgroupperstep

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed processgroupperstep.md
var doc string

// Rule is TL116 process-group-per-step.
var Rule = rule.Rule{
	ID:    "TL116",
	Name:  "process-group-per-step",
	Title: "process groups are made again and again",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
	Check: check,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("%s makes a new process group %s, and each one sets up a communicator of its own%s."+
		" It stays registered until `destroy_process_group(group)`, and its device memory lies outside PyTorch's allocator.",
		c.Statement("The training"), c.Every(), c.Cost())
}

const summary = "Make the group once, before the loop, and pass it on; or call `dist.destroy_process_group(group)` when it was used."

func fix(c *rule.Case) *finding.Fix { return rule.Advice(summary) }
