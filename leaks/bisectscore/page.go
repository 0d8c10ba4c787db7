package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/torchleak/torchleak/leaks"
)

// write writes docs/accuracy-bisect.md.
func write(page io.Writer, results []result, found int, from leaks.Origin) error {
	var b strings.Builder
	runsMade, best := 0, 0
	for _, r := range results {
		runsMade += r.answer.Runs
		if r.ok() && r.best {
			best++
		}
	}
	fmt.Fprintf(&b, "# Accuracy of bisect\n\nMade by `%s`; do not edit. Each leaking case of [leaks](leaks.md) is given to `torchleak bisect` with its marks "+
		"taken out. It is found when one of at most %d statements named is marked in the case as the one to change, or as right as well.\n\n", from.Command, most)
	fmt.Fprintf(&b, "%s, %s.\n\n", from.Machine, from.Date)
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
			with = leaks.Rate(r.answer.PerStep, g.Unit)
			if r.answer.Without != nil {
				without = leaks.Rate(*r.answer.Without, g.Unit)
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s |\n", r.name, r.answer.Target.Torch, r.answer.Runs, with, without, outcome)
	}
	_, err := io.WriteString(page, b.String())
	return err
}
