// Command bisectscore lets torchleak bisect look for the statements of the leaking cases, and says how many it finds.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/torchleak/torchleak/leaks"
)

func main() {
	ok, err := run(os.Args[1:], os.Stdout)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "bisectscore:", err)
		os.Exit(3)
	case !ok:
		os.Exit(1)
	}
}

// wanted is the part of the cases whose statement is to be found, and runs in how many runs of the training.
const (
	wanted = 0.8
	runs   = 12
)

// run returns whether the figure was reached.
func run(args []string, out io.Writer) (bool, error) {
	var s scorer
	command, err := leaks.Parse("bisectscore", "docs/accuracy-bisect.md", args, func(flags *flag.FlagSet) {
		flags.StringVar(&s.keep, "keep", "", "keep answers in this `FOLDER`, and take from it those that an earlier run of the same binary got")
	})
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
	s.torchleak, s.python = command.Torchleak, command.Python
	if err := s.open(); err != nil {
		return false, err
	}
	defer s.close()
	results := make([]result, len(cases))
	leaks.Each(len(cases), command.Jobs,
		func(i int) { results[i] = s.one(ctx, cases[i]) },
		func(i int) { results[i].say(out) })
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	found := 0
	for _, r := range results {
		if r.ok() {
			found++
		}
	}
	fmt.Fprintf(out, "\nstatement found: %d of %d\n", found, len(results))
	return float64(found) >= wanted*float64(len(results)), command.Write(func(page io.Writer, from leaks.Origin) error {
		return write(page, results, found, from)
	})
}

// answer is what is read of bisect's JSON.
type answer struct {
	Target struct{ Torch string }
	Grows  *struct{ Memory, Series, Unit string }
	Found  []struct {
		File    string
		Line    int
		EndLine int `json:"end_line"`
		Code    string
	}
	Proven  bool
	PerStep float64  `json:"per_step"`
	Without *float64 `json:"per_step_without"`
	Runs    int
}

// result is one case.
type result struct {
	name   string
	answer answer
	kept   bool   // the answer is of an earlier run
	miss   string // empty: found
	best   bool   // the statement to change itself, and not one that is right as well
	took   time.Duration
}

func (r result) ok() bool { return r.miss == "" }

func (r result) say(out io.Writer) {
	verdict := r.miss
	if r.ok() {
		verdict = "ok"
	}
	took := "kept"
	if !r.kept {
		took = fmt.Sprintf("%.0f s", r.took.Seconds())
	}
	fmt.Fprintf(out, "%-26s torch %-9s %2d runs %6s  %s\n", r.name, r.answer.Target.Torch, r.answer.Runs, took, verdict)
}

// scorer is what cases are run with.
type scorer struct {
	torchleak, python string
	keep              string // folder of the answers
	scratch           string // the same where nobody wants to keep them
}

func (s *scorer) open() (err error) {
	if s.keep != "" {
		return os.MkdirAll(s.keep, 0o777)
	}
	s.scratch, err = os.MkdirTemp("", "bisectscore")
	s.keep = s.scratch
	return err
}

func (s *scorer) close() {
	if s.scratch != "" {
		os.RemoveAll(s.scratch)
	}
}

// limit is how long one case may take.
const limit = 10 * time.Minute

func (s scorer) one(ctx context.Context, c *leaks.Case) result {
	r := result{name: c.Name}
	began := time.Now()
	err := s.answer(ctx, c, &r)
	r.took = time.Since(began)
	switch {
	case err != nil:
		r.miss = err.Error()
	case len(r.answer.Found) == 0:
		r.miss = "nothing found"
	default:
		r.judge(c)
	}
	return r
}

// most is how many statements an answer may name: the smallest set, not the program.
const most = 3

// judge looks whether one of the statements found is one that the case marks.
func (r *result) judge(c *leaks.Case) {
	hit := false
	var places []string
	for _, f := range r.answer.Found {
		places = append(places, fmt.Sprintf("%s:%d %s", filepath.Base(f.File), f.Line, f.Code))
		for _, m := range c.Marks {
			if m.File == filepath.Base(f.File) && f.Line <= m.Line && m.Line <= max(f.Line, f.EndLine) {
				hit, r.best = true, r.best || m.Best
			}
		}
	}
	switch {
	case len(r.answer.Found) > most:
		r.miss = fmt.Sprintf("not narrowed: %d statements", len(r.answer.Found))
	case !hit:
		r.miss = "named " + strings.Join(places, "; ")
	}
}

// answer takes the answer that is kept, or makes the runs.
func (s scorer) answer(ctx context.Context, c *leaks.Case, r *result) error {
	kept := filepath.Join(s.keep, c.Name+".json")
	text, err := os.ReadFile(kept)
	r.kept = err == nil
	if !r.kept {
		if text, err = s.bisect(ctx, c); err == nil {
			err = os.WriteFile(kept, text, 0o666)
		}
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &r.answer)
}

// bisect returns bisect's JSON.
func (s scorer) bisect(ctx context.Context, c *leaks.Case) ([]byte, error) {
	scratch, err := os.MkdirTemp("", "bisectscore")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	source, out := filepath.Join(scratch, "src"), filepath.Join(scratch, "out.json")
	if err := os.Mkdir(source, 0o755); err != nil {
		return nil, err
	}
	if err := c.Lay(source, "train.py"); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, said, runErr := leaks.Torchleak(ctx, s.torchleak, source, "bisect", "--quiet", "--runs", fmt.Sprint(runs), "--json", out,
		"--dir", filepath.Join(scratch, "recording"), "--", s.python, "train.py")
	if ctx.Err() != nil {
		return nil, ctx.Err() // half a search is no answer
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("%v: %s", runErr, leaks.Tail(said))
	}
	return text, nil
}
