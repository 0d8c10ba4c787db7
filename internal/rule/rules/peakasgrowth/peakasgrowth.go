// Package peakasgrowth is the rule TL303 peak-as-growth: a peak that never falls is read as growth.
package peakasgrowth

import (
	_ "embed"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed peakasgrowth.md
var doc string

// Rule is TL303 peak-as-growth.
var Rule = rule.Rule{
	ID:    "TL303",
	Name:  "peak-as-growth",
	Title: "a peak that never falls is read as growth",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
	Check: check,
}

const reason = "The peak of the whole run can only rise: the largest batch so far sets it. Read in every step without a reset it climbs in healthy trainings and hides leaks below an early peak."

const summary = "Read `torch.cuda.memory_allocated()` at the same point of every step, or reset the peak with `torch.cuda.reset_peak_memory_stats()` in each."

func why(*rule.Case) string { return reason }

func fix(*rule.Case) *finding.Fix { return rule.Advice(summary) }
