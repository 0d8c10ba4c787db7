// Command bisectscore lets torchleak bisect look for the statements of the leaking cases, and says how many it finds.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
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
	flags := flag.NewFlagSet("bisectscore", flag.ExitOnError)
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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *binary == "" {
		folder, err := os.MkdirTemp("", "bisectscore")
		if err != nil {
			return false, err
		}
		defer os.RemoveAll(folder)
		if *binary, err = leaks.Build(folder, os.Stderr); err != nil {
			return false, err
		}
	}
	s := scorer{*binary, *python, out, sync.Mutex{}}
	results := s.all(ctx, cases, *jobs)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	found := 0
	for _, r := range results {
		if r.ok() {
			found++
		}
	}
	reached := float64(found) >= wanted*float64(len(results))
	fmt.Fprintf(out, "\nstatement found: %d of %d\n", found, len(results))
	if *write == "" {
		return reached, nil
	}
	command := "go run ./leaks/bisectscore --python PYTHON"
	if *only != "" {
		command += " --only '" + *only + "'"
	}
	command += fmt.Sprintf(" --jobs %d --write docs/accuracy-bisect.md", *jobs)
	return reached, os.WriteFile(*write, []byte(page(results, found, command)), 0o644)
}

// answer is what is read of bisect's JSON.
type answer struct {
	Target struct{ Torch string }
	Grows  *struct{ Memory, Series, Unit string }
	Found  []struct {
		File          string
		Line, EndLine int `json:",omitempty"`
		Code          string
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
	miss   string // empty: found
	best   bool   // the statement to change itself, and not one that is right as well
	took   time.Duration
}

func (r result) ok() bool { return r.miss == "" }

type scorer struct {
	binary, python string
	out            io.Writer
	said           sync.Mutex
}

func (s *scorer) all(ctx context.Context, cases []*leaks.Case, jobs int) []result {
	results := make([]result, len(cases))
	next := make(chan int)
	var wait sync.WaitGroup
	for range max(1, jobs) {
		wait.Go(func() {
			for i := range next {
				results[i] = s.one(ctx, cases[i])
				s.say(results[i])
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

func (s *scorer) say(r result) {
	s.said.Lock()
	defer s.said.Unlock()
	verdict := r.miss
	if r.ok() {
		verdict = "ok"
	}
	fmt.Fprintf(s.out, "%-26s torch %-9s %2d runs %4.0f s  %s\n", r.name, r.answer.Target.Torch, r.answer.Runs, r.took.Seconds(), verdict)
}

// limit is how long one case may take.
const limit = 10 * time.Minute

func (s *scorer) one(ctx context.Context, c *leaks.Case) result {
	r := result{name: c.Name}
	began := time.Now()
	err := s.bisect(ctx, c, &r.answer)
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

func (s *scorer) bisect(ctx context.Context, c *leaks.Case, into *answer) error {
	scratch, err := os.MkdirTemp("", "bisectscore")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	source, out := filepath.Join(scratch, "src"), filepath.Join(scratch, "out.json")
	if err := os.Mkdir(source, 0o755); err != nil {
		return err
	}
	if err := c.Lay(source, "train.py"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.binary, "bisect", "--quiet", "--runs", fmt.Sprint(runs), "--json", out,
		"--dir", filepath.Join(scratch, "recording"), "--", s.python, "train.py")
	cmd.Dir, cmd.Env, cmd.WaitDelay = source, leaks.Environ(), 5*time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	runErr := cmd.Run()
	text, err := os.ReadFile(out)
	if err != nil {
		return fmt.Errorf("%v: %s", runErr, leaks.Tail(said.String()))
	}
	return json.Unmarshal(text, into)
}
