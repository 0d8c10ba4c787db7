package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/torchleak/torchleak/internal/units"
	"github.com/torchleak/torchleak/leaks"
)

// page is docs/accuracy-bisect.md.
func page(results []result, found int, command string) string {
	var b strings.Builder
	runsMade, best := 0, 0
	for _, r := range results {
		runsMade += r.answer.Runs
		if r.ok() && r.best {
			best++
		}
	}
	fmt.Fprintf(&b, "# Accuracy of bisect\n\nMade by `%s`; do not edit. Each leaking case of [leaks](leaks.md) is given to `torchleak bisect` with its marks "+
		"taken out. It is found when one of at most %d statements named is marked in the case as the one to change, or as right as well.\n\n", command, most)
	fmt.Fprintf(&b, "%s, %s.\n\n", leaks.Machine(), time.Now().UTC().Format(time.DateOnly))
	fmt.Fprintf(&b, "| what | figure | limit |\n|---|---|---|\n| statement found within %d runs | %.1f %% (%d of %d) | ≥ %.0f %% |\n",
		runs, 100*float64(found)/float64(len(results)), found, len(results), 100*wanted)
	fmt.Fprintf(&b, "| the statement to change itself | %.1f %% (%d of %d) | |\n", 100*float64(best)/float64(len(results)), best, len(results))
	fmt.Fprintf(&b, "| runs a case, mean | %.1f | |\n\n", float64(runsMade)/float64(len(results)))
	b.WriteString("| case | torch | runs | with | without | outcome |\n|---|---|---|---|---|---|\n")
	for _, r := range results {
		outcome := "found"
		if !r.ok() {
			outcome = "**" + strings.ReplaceAll(r.miss, "|", "\\|") + "**"
		} else if !r.best {
			outcome = "found (right as well)"
		}
		with, without := "", ""
		if g := r.answer.Grows; g != nil {
			with = amount(r.answer.PerStep, g.Unit)
			if r.answer.Without != nil {
				without = amount(*r.answer.Without, g.Unit)
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s |\n", r.name, r.answer.Target.Torch, r.answer.Runs, with, without, outcome)
	}
	return b.String()
}

func amount(rate float64, unit string) string {
	n := int64(math.Round(rate))
	if unit == "bytes" {
		return units.SignedBytes(n)
	}
	return units.Count(n) + " " + unit
}
