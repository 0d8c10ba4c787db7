// Package emptycacheperstep is the rule TL301 empty-cache-per-step: the allocator's cache is emptied in every step.
package emptycacheperstep

import (
	_ "embed"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed emptycacheperstep.md
var doc string

// Rule is TL301 empty-cache-per-step.
var Rule = rule.Rule{
	ID:    "TL301",
	Name:  "empty-cache-per-step",
	Title: "the allocator's cache is emptied in every step",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
	Check: check,
}

const reason = "`empty_cache` gives back memory that nobody uses; what a leak keeps is in use and stays. Each call waits for the device and the next step asks the driver for the memory again."

const summary = "Leave it out of the step; between epochs it does no harm."

func why(*rule.Case) string { return reason }

func fix(*rule.Case) *finding.Fix { return rule.Advice(summary) }
