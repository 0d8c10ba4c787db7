package leaks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
)

// limit is how long one program may take; the longest takes a few seconds.
const limit = 2 * time.Minute

// Result is one program run under one Python.
type Result struct {
	Case    *Case
	Program string // train.py or fixed.py
	Python  string
	Report  finding.Report
	Score   Score
	Err     error // the run itself failed; its score is zero
}

// Runner runs cases under torchleak.
type Runner struct {
	Torchleak string // the binary
	Pythons   []string
	Jobs      int
	Done      func(Result) // called as results come in, one at a time
}

// Run runs every program of the cases under every Python. The results are in order of the cases.
func (r *Runner) Run(ctx context.Context, cases []*Case) []Result {
	var results []Result
	for _, c := range cases {
		for _, program := range []string{"train.py", "fixed.py"} {
			if program == "fixed.py" && !c.Fixed() {
				continue
			}
			for _, python := range r.Pythons {
				results = append(results, Result{Case: c, Program: program, Python: python})
			}
		}
	}
	Each(len(results), r.Jobs,
		func(i int) { r.one(ctx, &results[i]) },
		func(i int) {
			if r.Done != nil {
				r.Done(results[i])
			}
		})
	return results
}

func (r *Runner) one(ctx context.Context, result *Result) {
	report, err := r.watch(ctx, result)
	if err != nil {
		result.Err = fmt.Errorf("%s of %s: %w", result.Program, result.Case.Name, err)
		return
	}
	result.Report = *report
	result.Score = Judge(result.Case, result.Program, report)
}

func (r *Runner) watch(ctx context.Context, result *Result) (*finding.Report, error) {
	scratch, err := os.MkdirTemp("", "leaks")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	source, out := filepath.Join(scratch, "src"), filepath.Join(scratch, "report.json")
	if err := os.Mkdir(source, 0o755); err != nil {
		return nil, err
	}
	if err := result.Case.Lay(source, result.Program); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.Torchleak, "run", "--quiet", "--json", out,
		"--dir", filepath.Join(scratch, "recording"), "--", result.Python, "train.py")
	cmd.Dir = source
	cmd.Env = Environ()
	cmd.WaitDelay = 5 * time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, Tail(said.String()))
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, Tail(said.String()))
	}
	report := new(finding.Report)
	if err := json.Unmarshal(text, report); err != nil {
		return nil, fmt.Errorf("reading the report: %w", err)
	}
	if report.Target.Torch == "" {
		return nil, errors.New("the report names no torch")
	}
	return report, nil
}
