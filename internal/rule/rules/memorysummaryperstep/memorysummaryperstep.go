// Package memorysummaryperstep is the rule TL306 memory-summary-per-step: the allocator's whole report is made in every step.
package memorysummaryperstep

import (
	_ "embed"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed memorysummaryperstep.md
var doc string

// Rule is TL306 memory-summary-per-step.
var Rule = rule.Rule{
	ID:    "TL306",
	Name:  "memory-summary-per-step",
	Title: "the allocator's whole report is made in every step",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
	Check: check,
}

const reason = "The whole report of the allocator is made in every step: it slows the training down, and peaks and sums in it do not tell a leak from a large batch."

const summary = "Read one counter (`torch.cuda.memory_allocated()`) every hundred steps, or let `torchleak run` read them."

func why(*rule.Case) string { return reason }

func fix(*rule.Case) *finding.Fix { return rule.Advice(summary) }
