package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/attach"
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

// name is that of a section: the Python and its torch, as its trainings told, and the way into them.
func name(results []result) string {
	for _, r := range results {
		if target := r.report.Target; target.Python != "" {
			way, _ := attach.Way(target.Python)
			return fmt.Sprintf("Python %s, torch %s, by %s", target.Python, target.Torch, way)
		}
	}
	return "A Python that was never attached to"
}

// section is what the page says of one Python.
func section(results []result, every int, from leaks.Origin) string {
	var b strings.Builder
	t := sum(results)
	which, command := "Each case", from.Command
	if every > 1 {
		which = fmt.Sprintf("One in %d cases", every)
		command += fmt.Sprintf(" --every %d", every)
	}
	fmt.Fprintf(&b, "%s%s\n\n%s, by `%s`. %s, %s.\n\n", heading, name(results), which, command, from.Machine, from.Date)
	b.WriteString("| what | figure | limit |\n|---|---|---|\n")
	fmt.Fprintf(&b, "| right | %.1f %% (%d of %d) | ≥ %.0f %% |\n", 100*float64(t.right)/float64(len(results)), t.right, len(results), 100*wanted)
	fmt.Fprintf(&b, "| of those that leak | %d of %d | |\n| of look-alikes called a leak | %d of %d | 0 |\n\n",
		t.leakingRight, t.leaking, t.falseAlarms, len(results)-t.leaking)
	b.WriteString("| case | verdict | statement | outcome |\n|---|---|---|---|\n")
	for _, r := range results {
		outcome, place := "right", ""
		if r.miss != "" {
			outcome = "**" + strings.NewReplacer("|", "\\|", "\n", " ").Replace(r.miss) + "**"
		}
		if r.c.Leaks() && leaks.Judge(r.c, "train.py", &r.report).Place == leaks.First {
			place = "named first"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.c.Name, r.report.Verdict, place, outcome)
	}
	return b.String()
}

const heading = "\n## "

// sections returns those of the page as it is, by name, with a new one in the place of that of the same Python.
func sections(page []byte, made string) []string {
	found := strings.Split(string(page), heading)[1:]
	for i := range found {
		found[i] = heading + found[i]
	}
	python := func(s string) string { before, _, _ := strings.Cut(s, ","); return before }
	found = append(slices.DeleteFunc(found, func(s string) bool { return python(s) == python(made) }), made)
	slices.Sort(found)
	return found
}

// write writes docs/accuracy-attach.md.
func write(page io.Writer, sections []string) error {
	_, err := fmt.Fprintf(page, "# Accuracy of attach\n\nMade by `go run ./leaks/attachscore`, a section by each run; do not edit. A case of [leaks](leaks.md) whose number of steps stands in its program once is started with %d times as many, "+
		"and attached to after %d seconds of the processor's, for %.0f seconds. It is right when the verdict is, "+
		"and the holder where something in Python holds the memory.\n%s", longer, warmUp, watched.Seconds(), strings.Join(sections, ""))
	return err
}
