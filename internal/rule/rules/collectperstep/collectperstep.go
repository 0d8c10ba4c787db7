// Package collectperstep is the rule TL302 collect-per-step: Python's collector is run in every step.
package collectperstep

import (
	_ "embed"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed collectperstep.md
var doc string

// Rule is TL302 collect-per-step.
var Rule = rule.Rule{
	ID:    "TL302",
	Name:  "collect-per-step",
	Title: "Python's collector is run in every step",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
	Check: check,
}

const reason = "Tensors are freed with their last reference; the collector is needed for reference cycles only. Run in every step it walks all objects of the process and hides the cycle that it may be needed for."

const summary = "Leave it out of the step; collect once an epoch if at all, and mend the cycle that makes it needed."

func why(*rule.Case) string { return reason }

func fix(*rule.Case) *finding.Fix { return rule.Advice(summary) }
