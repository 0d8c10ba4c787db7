// Command attachscore attaches torchleak to cases of leaks/ that run already, made longer, and says how many it gets right.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/leaks"
)

func main() {
	ok, err := run(os.Args[1:], os.Stdout)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "attachscore:", err)
		os.Exit(3)
	case !ok:
		os.Exit(1)
	}
}

// wanted is the part of the cases that is to be right.
const wanted = 0.9

// run returns whether the figure was reached.
func run(args []string, out io.Writer) (bool, error) {
	every := 1
	command, err := leaks.Parse("attachscore", "docs/accuracy-attach.md", args, func(flags *flag.FlagSet) {
		flags.IntVar(&every, "every", 1, "only each `N`th case")
	})
	if err != nil {
		return false, err
	}
	defer command.Close()
	if every < 1 {
		return false, fmt.Errorf("--every %d: it is a number from 1 on", every)
	}
	before, err := os.ReadFile(command.Page) // of the other Pythons
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	number := 0
	cases, err := command.Cases(func(c *leaks.Case) bool {
		if c.Ranks > 1 || stretch(c, nil) == nil {
			return false
		}
		number++
		return (number-1)%every == 0
	}, os.Stderr)
	if err != nil {
		return false, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	results := make([]result, len(cases))
	leaks.Each(len(cases), command.Jobs,
		func(i int) { results[i] = one(ctx, command.Torchleak, command.Python, cases[i]) },
		func(i int) { results[i].say(out) })
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	t := sum(results)
	fmt.Fprintf(out, "\nright: %d of %d\n", t.right, len(results))
	return float64(t.right) >= wanted*float64(len(results)) && t.falseAlarms == 0, command.Write(func(page io.Writer, from leaks.Origin) error {
		return write(page, sections(before, section(results, every, from)))
	})
}

// result is one case.
type result struct {
	c      *leaks.Case
	report finding.Report
	after  float64 // seconds of the processor's that it had run when it was attached to
	stood  string  // how long it stood still for that
	miss   string  // empty: right
}

func (r result) say(out io.Writer) {
	verdict := r.miss
	if verdict == "" {
		verdict = "ok"
	}
	fmt.Fprintf(out, "%-26s Python %-7s %-9s stood %-8s %s\n", r.c.Name, r.report.Target.Python, r.report.Verdict, r.stood, verdict)
}

// longer is how many times as many steps a case makes here: it ends when it has been watched.
const longer = 1000

// stretch returns the program of a case with its number of steps made larger, where that stands in it once; nil where it does
// not, and where it first writes the file that it maps, which would have tens of GB.
func stretch(c *leaks.Case, program []byte) []byte {
	if program == nil {
		var err error
		if program, err = os.ReadFile(filepath.Join(c.Dir, "train.py")); err != nil {
			return nil
		}
	}
	steps := regexp.MustCompile(`((?:in range\(|steps=|iters=|iterations=|updates=|default=|STEPS = 8, |\.run\())` + strconv.FormatInt(c.Steps, 10) + `\b`)
	if len(steps.FindAll(program, -1)) != 1 || bytes.Contains(program, []byte("memmap")) {
		return nil
	}
	return steps.ReplaceAll(program, fmt.Appendf(nil, "${1}%d", longer*c.Steps))
}

// limit is how long one case may take.
const limit = 5 * time.Minute

func one(ctx context.Context, torchleak, python string, c *leaks.Case) result {
	r := result{c: c}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := r.watch(ctx, torchleak, python); err != nil {
		r.miss = err.Error()
		return r
	}
	r.judge()
	return r
}

// judge compares the report with what is expected. What does not leak is healthy, or has come to a bound, maybe before it was
// attached to.
func (r *result) judge() {
	score := leaks.Judge(r.c, "train.py", &r.report)
	switch {
	case !r.c.Leaks():
		if v := r.report.Verdict; v != finding.Healthy && v != finding.Bounded && !score.VerdictOK {
			r.miss = "called " + string(v)
		}
	case !score.VerdictOK:
		r.miss = "called " + string(r.report.Verdict)
	case len(r.c.Holder) > 0 && !score.HolderOK:
		r.miss = "another holder"
	}
}

// watch starts the case, attaches to it once it trains, and takes the report.
func (r *result) watch(ctx context.Context, torchleak, python string) error {
	scratch, err := os.MkdirTemp("", "attachscore")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := r.c.Lay(scratch, "train.py"); err != nil {
		return err
	}
	script := filepath.Join(scratch, "train.py")
	program, err := os.ReadFile(script)
	if err == nil {
		err = os.WriteFile(script, stretch(r.c, program), 0o600)
	}
	if err != nil {
		return err
	}
	var said bytes.Buffer
	training := exec.CommandContext(ctx, python, "train.py")
	training.Dir, training.Env, training.Stdout, training.Stderr = scratch, leaks.Environ(), &said, &said
	end, err := start(training)
	if err != nil {
		return err
	}
	defer end()
	if r.after, err = warm(ctx, training.Process.Pid); err != nil {
		return fmt.Errorf("the training: %w: %s", err, leaks.Tail(said.String()))
	}
	return r.attach(ctx, torchleak, scratch, training.Process.Pid)
}

// start starts a training, and returns what ends it with all that it has started: its loader workers, and from Python 3.14 on the
// server that forks them, which outlive it where it is killed.
func start(training *exec.Cmd) (end func(), err error) {
	training.SysProcAttr, training.WaitDelay = &syscall.SysProcAttr{Setpgid: true}, 5*time.Second
	training.Cancel = func() error { return syscall.Kill(-training.Process.Pid, syscall.SIGKILL) }
	if err := training.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = training.Cancel()
		_ = training.Wait()
	}, nil
}

// warmUp is how many seconds of the processor's a training gets to itself, half of which PyTorch takes to be imported.
const warmUp = 4

// warm waits until the training has run for a while.
func warm(ctx context.Context, pid int) (seconds float64, err error) {
	for ctx.Err() == nil {
		stat, err := process.ReadStat(pid)
		if err != nil {
			return 0, err
		}
		if stat.State == "Z" {
			return 0, process.ErrEnded
		}
		if seconds = stat.CPU.Seconds(); seconds >= warmUp {
			return seconds, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return 0, ctx.Err()
}

// watched is how long it is watched. By then a training whose heap is slow to read was looked at often enough.
const watched = 15 * time.Second

var stood = regexp.MustCompile(`which stood still for ([^;]+);`)

func (r *result) attach(ctx context.Context, torchleak, scratch string, pid int) error {
	out := filepath.Join(scratch, "out.json")
	cmd := exec.CommandContext(ctx, torchleak, "attach", "--duration", watched.String(), "--json", out,
		"--dir", filepath.Join(scratch, "recording"), strconv.Itoa(pid))
	cmd.Env, cmd.WaitDelay = leaks.Environ(), 5*time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	said, err := cmd.CombinedOutput()
	if m := stood.FindSubmatch(said); m != nil {
		r.stood = string(m[1])
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, leaks.Tail(string(said)))
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &r.report)
}
