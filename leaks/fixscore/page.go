package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/torchleak/torchleak/leaks"
)

// write writes docs/accuracy-fix.md.
func write(page io.Writer, results []result, from leaks.Origin) error {
	counts := map[outcome]int{}
	ways := map[way]int{}
	for _, r := range results {
		counts[r.outcome]++
		if r.fixed() {
			ways[r.way]++
		}
	}
	share := func(n int) string {
		return fmt.Sprintf("%.1f %% (%d of %d)", 100*float64(n)/float64(len(results)), n, len(results))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Accuracy of fixes\n\nMade by `%s`; do not edit. The fixes that `torchleak lint --fix`, and where those are not enough `--unsafe-fixes`, "+
		"offers for each leaking case of [leaks](leaks.md) are proven by `torchleak verify`: memory must not grow any more, and the losses be the same bit for bit. "+
		"Of fixes that are not safe the losses may differ. Where lint has none that is enough, the patch of the first finding of `torchleak run` is tried.\n\n%s, %s.\n\n", from.Command, from.Machine, from.Date)
	b.WriteString("| what | figure | limit |\n|---|---|---|\n")
	fmt.Fprintf(&b, "| fixed by lint and proven flat | %s | ≥ %.0f %% |\n", share(ways[safe]+ways[unsafe]), 100*wanted)
	fmt.Fprintf(&b, "| of these by fixes that are not safe | %d | |\n", ways[unsafe])
	fmt.Fprintf(&b, "| fixed by lint, or else by the patch of a run | %s | |\n", share(ways[safe]+ways[unsafe]+ways[fromWatch]))
	for _, o := range []outcome{flat, differs, silent, grows, breaks, noFix, unjudged} {
		fmt.Fprintf(&b, "| %s | %s | |\n", o, share(counts[o]))
	}
	b.WriteString("\n| case | torch | flags | without | with | outcome |\n|---|---|---|---|---|---|\n")
	for _, r := range results {
		how, with, without := "", "", ""
		if r.outcome != noFix {
			how = "`" + string(r.way) + "`"
			if r.answer.Grows.Unit != "" {
				without, with = leaks.Rate(r.answer.PerStep, r.answer.Grows.Unit), leaks.Rate(r.answer.Changed, r.answer.Grows.Unit)
			}
		}
		text := strings.TrimSuffix(string(r.outcome)+": "+strings.ReplaceAll(r.reason, "|", "\\|"), ": ")
		if !r.fixed() {
			text = "**" + text + "**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", r.name, r.answer.Target.Torch, how, without, with, text)
	}
	_, err := io.WriteString(page, b.String())
	return err
}
