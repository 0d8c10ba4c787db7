// Command score lints the corpus and the rules' pages and says how much is found and how much of it is right.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/torchleak/torchleak/internal/lint/corpus"
	"github.com/torchleak/torchleak/internal/rule/rules"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(3)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("score", flag.ExitOnError)
	write := flags.String("write", "", "write the page to this `FILE`")
	only := flags.String("only", "", "cases whose name begins with `PREFIX`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	cases, err := corpus.Load()
	if err != nil {
		return err
	}
	var chosen []corpus.Case
	for _, c := range append(cases, corpus.Pages(rules.All)...) {
		if strings.HasPrefix(c.Name, *only) {
			chosen = append(chosen, c)
		}
	}
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	results, err := corpus.Run(chosen, dir)
	if err != nil {
		return err
	}
	for _, f := range corpus.Faults(results) {
		fmt.Fprintf(out, "%-44s %s:%d  %s\n", f.Case, f.File, f.Line, f.What)
	}
	t := corpus.Sum(results)
	fmt.Fprintf(out, "%d cases, %d look-alikes; recall %.1f %% (%d of %d), precision %.1f %% (%d of %d)\n", t.Cases, t.LookAlikes,
		100*t.Recall(), t.Found, t.Marks, 100*t.Precision(), t.Right, t.Reported)
	if *write == "" {
		return nil
	}
	public, err := corpus.Public()
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := corpus.Write(&page, results, public); err != nil {
		return err
	}
	return os.WriteFile(*write, page.Bytes(), 0o644)
}
