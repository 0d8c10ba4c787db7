// Command score runs the cases of leaks/ under torchleak and says how many it gets right.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/torchleak/torchleak/leaks"
)

type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

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
	flags := flag.NewFlagSet("score", flag.ExitOnError)
	var pythons list
	flags.Var(&pythons, "python", "a Python with torch; may be given several times (default python3)")
	only := flags.String("only", "", "cases whose name matches this `GLOB`")
	jobs := flags.Int("jobs", 1, "how many trainings run at the same time")
	write := flags.String("write", "", "write the page to this `FILE`")
	binary := flags.String("torchleak", "", "the `BINARY` to score (default: built from this module)")
	dir := flags.String("leaks", "leaks", "the `FOLDER` of the cases")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	if len(pythons) == 0 {
		pythons = list{"python3"}
	}
	cases, err := leaks.Load(*dir, *only)
	if err != nil {
		return false, err
	}
	if len(cases) == 0 {
		return false, fmt.Errorf("no case in %s matches %q", *dir, *only)
	}
	if *binary == "" {
		folder, err := os.MkdirTemp("", "score")
		if err != nil {
			return false, err
		}
		defer os.RemoveAll(folder)
		if *binary, err = leaks.Build(folder, os.Stderr); err != nil {
			return false, err
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	runner := leaks.Runner{Torchleak: *binary, Pythons: pythons, Jobs: *jobs, Done: func(r leaks.Result) { say(out, r) }}
	results := runner.Run(ctx, cases)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	ok := summary(out, results)
	if *write == "" {
		return ok, nil
	}
	return ok, page(*write, results, len(pythons), *only, *jobs)
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

func page(path string, results []leaks.Result, pythons int, only string, jobs int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	// Where the interpreters stand on this machine is nobody's business.
	command := "go run ./leaks/score" + strings.Repeat(" --python PYTHON", pythons)
	if only != "" {
		command += " --only '" + only + "'"
	}
	command += fmt.Sprintf(" --jobs %d --write docs/accuracy.md", jobs)
	origin := leaks.Origin{Command: command, Machine: leaks.Machine(), Date: time.Now().UTC().Format(time.DateOnly)}
	if err := leaks.Page(file, results, origin); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
