// Command fixscore applies the linter's fixes to copies of the leaking cases, proves them by runs with torchleak
// verify, and says how many are fixed.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/torchleak/torchleak/leaks"
)

func main() {
	ok, err := run(os.Args[1:], os.Stdout)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "fixscore:", err)
		os.Exit(3)
	case !ok:
		os.Exit(1)
	}
}

// wanted is the part of the leaking cases that is to be fixed.
const wanted = 0.8

// run returns whether the figure was reached.
func run(args []string, out io.Writer) (bool, error) {
	command, err := leaks.Parse("fixscore", "docs/accuracy-fix.md", args)
	if err != nil {
		return false, err
	}
	defer command.Close()
	cases, err := command.Cases((*leaks.Case).Leaks, os.Stderr)
	if err != nil {
		return false, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	t := tools{command.Torchleak, command.Python}
	results := make([]result, len(cases))
	leaks.Each(len(cases), command.Jobs,
		func(i int) { results[i] = t.one(ctx, cases[i]) },
		func(i int) {
			fmt.Fprintf(out, "%-26s torch %-9s %s\n", results[i].name, results[i].answer.Target.Torch, results[i].said())
		})
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	byLint, byRun := 0, 0
	for _, r := range results {
		switch {
		case r.byLint():
			byLint++
		case r.fixed():
			byRun++
		}
	}
	fmt.Fprintf(out, "\nfixed and proven flat: %d of %d, and %d more by the patch of a run\n", byLint, len(results), byRun)
	return float64(byLint) >= wanted*float64(len(results)), command.Write(func(page io.Writer, from leaks.Origin) error {
		return write(page, results, from)
	})
}
