package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/torchleak/torchleak/internal/units"
	"github.com/torchleak/torchleak/leaks"
)

// page is docs/accuracy-fix.md.
func page(results []result, fixed int, command string) string {
	counts := map[outcome]int{}
	unsafe := 0
	for _, r := range results {
		counts[r.outcome]++
		if r.fixed() && r.unsafe {
			unsafe++
		}
	}
	share := func(n int) string {
		return fmt.Sprintf("%.1f %% (%d of %d)", 100*float64(n)/float64(len(results)), n, len(results))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Accuracy of fixes\n\nMade by `%s`; do not edit. The fixes that `torchleak lint --fix`, and where those are not enough `--unsafe-fixes`, "+
		"offers for each leaking case of [leaks](leaks.md) are proven by `torchleak verify`: memory must not grow any more, and the losses be the same bit for bit. "+
		"Of fixes that are not safe the losses may differ.\n\n%s, %s.\n\n", command, leaks.Machine(), time.Now().UTC().Format(time.DateOnly))
	b.WriteString("| what | figure | limit |\n|---|---|---|\n")
	fmt.Fprintf(&b, "| fixed and proven flat | %s | ≥ %.0f %% |\n", share(fixed), 100*wanted)
	fmt.Fprintf(&b, "| of these by fixes that are not safe | %d | |\n", unsafe)
	for _, o := range []outcome{flat, differs, grows, breaks, noFix, unjudged} {
		fmt.Fprintf(&b, "| %s | %s | |\n", o, share(counts[o]))
	}
	b.WriteString("\n| case | torch | flags | without | with | outcome |\n|---|---|---|---|---|---|\n")
	for _, r := range results {
		how, with, without := "", "", ""
		if r.outcome != noFix {
			how = "`" + r.how() + "`"
			if r.answer.Grows.Unit != "" {
				without, with = amount(r.answer.PerStep, r.answer.Grows.Unit), amount(r.answer.Changed, r.answer.Grows.Unit)
			}
		}
		text := strings.TrimSuffix(string(r.outcome)+": "+strings.ReplaceAll(r.reason, "|", "\\|"), ": ")
		if !r.fixed() {
			text = "**" + text + "**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", r.name, r.answer.Target.Torch, how, without, with, text)
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
