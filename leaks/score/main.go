// Command score runs the cases of leaks/ under torchleak and says how many it gets right.
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
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(3)
	case !ok:
		os.Exit(1)
	}
}

// run returns whether every figure reached its limit.
func run(args []string, out io.Writer) (bool, error) {
	command, err := leaks.Parse("score", "docs/accuracy.md", args)
	if err != nil {
		return false, err
	}
	defer command.Close()
	cases, err := command.Cases(func(*leaks.Case) bool { return true }, os.Stderr)
	if err != nil {
		return false, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	runner := leaks.Runner{Torchleak: command.Torchleak, Pythons: command.Pythons, Jobs: command.Jobs, Done: func(r leaks.Result) { say(out, r) }}
	results := runner.Run(ctx, cases)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	return summary(out, results), command.Write(func(page io.Writer, from leaks.Origin) error {
		return leaks.Page(page, results, from)
	})
}

func say(out io.Writer, r leaks.Result) {
	miss := r.Miss()
	if miss == "" {
		miss = "ok"
	}
	fmt.Fprintf(out, "%-26s %-8s torch %-9s %-9s %s\n", r.Case.Name, r.Program, r.Report.Target.Torch, r.Report.Verdict, miss)
}

func summary(out io.Writer, results []leaks.Result) bool {
	fmt.Fprintln(out)
	all := true
	for _, f := range leaks.Figures(results) {
		sign := "reached"
		if !f.OK() {
			sign, all = "NOT REACHED", false
		}
		fmt.Fprintf(out, "%-48s %-40s %s\n", f.What, f, sign)
	}
	return all
}
