// Command fixscore applies the linter's fixes to copies of the leaking cases, proves them by runs with torchleak
// verify, and says how many are fixed.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"sync"

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
	flags := flag.NewFlagSet("fixscore", flag.ExitOnError)
	python := flags.String("python", "python3", "the Python with torch")
	only := flags.String("only", "", "cases whose name matches this `GLOB`")
	jobs := flags.Int("jobs", 1, "how many cases run at the same time")
	write := flags.String("write", "", "write the page to this `FILE`")
	binary := flags.String("torchleak", "", "the `BINARY` to score (default: built from this module)")
	dir := flags.String("leaks", "leaks", "the `FOLDER` of the cases")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	all, err := leaks.Load(*dir, *only)
	if err != nil {
		return false, err
	}
	var cases []*leaks.Case
	for _, c := range all {
		if c.Leaks() {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		return false, fmt.Errorf("no leaking case in %s matches %q", *dir, *only)
	}
	if *binary == "" {
		folder, err := os.MkdirTemp("", "fixscore")
		if err != nil {
			return false, err
		}
		defer os.RemoveAll(folder)
		if *binary, err = leaks.Build(folder, os.Stderr); err != nil {
			return false, err
		}
	}
	results := score(cases, tools{*binary, *python}, *jobs, out)
	fixed := 0
	for _, r := range results {
		if r.fixed() {
			fixed++
		}
	}
	fmt.Fprintf(out, "\nfixed and proven flat: %d of %d\n", fixed, len(results))
	reached := float64(fixed) >= wanted*float64(len(results))
	if *write == "" {
		return reached, nil
	}
	command := "go run ./leaks/fixscore --python PYTHON"
	if *only != "" {
		command += " --only '" + *only + "'"
	}
	command += fmt.Sprintf(" --jobs %d --write docs/accuracy-fix.md", *jobs)
	return reached, os.WriteFile(*write, []byte(page(results, fixed, command)), 0o644)
}

// score works off the cases. The results are in their order.
func score(cases []*leaks.Case, t tools, jobs int, out io.Writer) []result {
	results := make([]result, len(cases))
	next := make(chan int)
	var wait sync.WaitGroup
	var said sync.Mutex
	for range max(1, jobs) {
		wait.Go(func() {
			for i := range next {
				results[i] = t.one(cases[i])
				said.Lock()
				fmt.Fprintf(out, "%-26s torch %-9s %s\n", results[i].name, results[i].answer.Target.Torch, results[i].said())
				said.Unlock()
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	wait.Wait()
	return results
}
