package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/torchleak/torchleak/leaks"
)

// totals are what the page sums up.
type totals struct {
	right, leaking, leakingRight, falseAlarms int
}

func sum(results []result) totals {
	var t totals
	for _, r := range results {
		ok := r.miss == ""
		if ok {
			t.right++
		}
		switch {
		case r.c.Leaks() && ok:
			t.leaking, t.leakingRight = t.leaking+1, t.leakingRight+1
		case r.c.Leaks():
			t.leaking++
		case r.report.Verdict == "leak":
			t.falseAlarms++
		}
	}
	return t
}

// write writes docs/accuracy-attach.md.
func write(page io.Writer, results []result, every int, from leaks.Origin) error {
	var b strings.Builder
	t := sum(results)
	which := "Each case"
	command := from.Command
	if every > 1 {
		which = fmt.Sprintf("One in %d cases", every)
		command += fmt.Sprintf(" --every %d", every)
	}
	fmt.Fprintf(&b, "# Accuracy of attach\n\nMade by `%s`; do not edit. %s of [leaks](leaks.md) whose number of steps stands in its program once is started with %d times as many, "+
		"and attached to after %d seconds of the processor's, for %.0f seconds. It is right when the verdict is, "+
		"and the holder where something in Python holds the memory.\n\n", command, which, longer, warmUp, watched.Seconds())
	fmt.Fprintf(&b, "%s, %s.\n\n| what | figure | limit |\n|---|---|---|\n", from.Machine, from.Date)
	fmt.Fprintf(&b, "| right | %.1f %% (%d of %d) | ≥ %.0f %% |\n", 100*float64(t.right)/float64(len(results)), t.right, len(results), 100*wanted)
	fmt.Fprintf(&b, "| of those that leak | %d of %d | |\n| of look-alikes called a leak | %d of %d | 0 |\n\n",
		t.leakingRight, t.leaking, t.falseAlarms, len(results)-t.leaking)
	b.WriteString("| case | torch | verdict | statement | outcome |\n|---|---|---|---|---|\n")
	for _, r := range results {
		outcome, place := "right", ""
		if r.miss != "" {
			outcome = "**" + strings.NewReplacer("|", "\\|", "\n", " ").Replace(r.miss) + "**"
		}
		if r.c.Leaks() && leaks.Judge(r.c, "train.py", &r.report).Place == leaks.First {
			place = "named first"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.c.Name, r.report.Target.Torch, r.report.Verdict, place, outcome)
	}
	_, err := io.WriteString(page, b.String())
	return err
}
