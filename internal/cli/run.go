package cli

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/report/json"
	"github.com/torchleak/torchleak/internal/report/text"
	"github.com/torchleak/torchleak/internal/session"
)

type runCommand struct {
	output
	Steps  int64    `placeholder:"N" help:"Stop the training after N steps."`
	Warmup int64    `placeholder:"N" help:"Steps not to judge (default: found out)."`
	Dir    string   `placeholder:"DIR" help:"Where the recording goes (default: .torchleak/<time>)."`
	Argv   []string `arg:"" optional:"" passthrough:"" name:"command" help:"The training: -- python train.py …"`
}

// Help is shown below the usage.
func (runCommand) Help() string {
	return "Everything after -- is the training's own: its streams, signals, exit status and working directory. " +
		"The exit status is the training's, unless --fail-on makes findings into 1, or 3 when nothing could be watched."
}

// Run runs the target.
func (c *runCommand) Run(stdio Stdio) error {
	argv, err := target(c.Argv)
	if err != nil {
		return err
	}
	if err := session.LookPath(argv[0]); err != nil {
		return &UserError{err, fmt.Sprintf("Is %q installed and on PATH? Give the command after --, e.g. torchleak run -- python train.py", argv[0])}
	}
	dir, warning, err := recording.Create(c.Dir, time.Now())
	if err != nil {
		return &UserError{err, "Name a new directory with --dir, or one that is yours alone to write."}
	}
	if warning != "" && !c.Quiet {
		fmt.Fprintln(stdio.Err, "torchleak:", warning)
	}
	// A reader of ours that goes away, as `head` does, must not take the training's watch with it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	said := map[string]bool{}
	result, err := session.Run(session.Config{
		Argv: argv, Dir: dir, Steps: c.Steps,
		Tool:    finding.Tool{Name: "torchleak", Version: Version},
		Options: analysis.Options{Warmup: c.Warmup},
		Stdin:   stdio.In, Stdout: stdio.Out, Stderr: stdio.Err,
		Found:  func(r finding.Report) { c.found(r, said, stdio.Err) },
		Status: c.status(stdio.Err),
	})
	switch {
	case errors.Is(err, session.ErrStart):
		return &UserError{err, "The command must be a program that can be executed."}
	case err != nil:
		return &UserError{err, "Name a directory with room for the recording with --dir."}
	}
	return c.finish(result, argv, dir, stdio)
}

// target is the command after --. kong hands on the -- itself, and an option unknown to us as if it were the
// command; neither may pass.
func target(args []string) ([]string, error) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	} else if len(args) > 0 && strings.HasPrefix(args[0], "-") {
		return nil, &usageError{fmt.Sprintf("unknown option %s; the training's command goes after --", args[0])}
	}
	if len(args) == 0 {
		return nil, &usageError{"no command given. Try: torchleak run -- python train.py"}
	}
	return args, nil
}

// found says, while the training goes on, what was found; each finding once.
func (c *runCommand) found(r finding.Report, said map[string]bool, w *os.File) {
	if c.Quiet || r.Verdict != finding.Leak && r.Verdict != finding.Outside && r.Verdict != finding.Cycle {
		return
	}
	fresh := false
	for _, f := range r.Findings {
		key := fmt.Sprint(r.Target.Rank, f.Rule, f.Location)
		if f.Location != nil {
			key = fmt.Sprint(r.Target.Rank, f.Rule, f.Location.File, f.Location.Line)
		}
		fresh = fresh || !said[key]
		said[key] = true
	}
	if fresh {
		_ = text.Write(w, r, c.textOptions("", w))
	}
}

// status shows, on a terminal, how the memories stand from time to time; nil shows nothing.
func (c *runCommand) status(w *os.File) func(memories []finding.Memory) {
	if c.Quiet || !isTerminal(w) {
		return nil
	}
	return func(memories []finding.Memory) {
		fmt.Fprintln(w, text.Live(memories, c.textOptions("", w)))
	}
}

func (c *runCommand) finish(result session.Result, argv []string, dir recording.Dir, stdio Stdio) error {
	for _, w := range result.Warnings {
		if !c.Quiet {
			fmt.Fprintln(stdio.Err, "torchleak:", w)
		}
	}
	exit := result.Exit
	if result.Stopped {
		exit = exitOK
	}
	if result.Contact != session.Stepped {
		msg, hint := silence(result, argv)
		fmt.Fprintf(stdio.Err, "torchleak: %s\n           %s\n", msg, hint)
		if exit == exitOK && (len(result.Notes) > 0 || result.Contact < session.NoSteps && result.Contact != session.Nested) {
			exit = exitFailed
		}
	}
	report := finding.Merge(result.Reports, finding.Tool{Name: "torchleak", Version: Version}, argv, &result.Exit)
	page := dir.File("report.html")
	var errs []error
	if result.Contact == session.Stepped {
		writeFixes(report, dir)
		errs = append(errs,
			writeReport(dir.File("report.json"), report, json.Write, stdio.Out),
			writeReport(page, report, c.page, stdio.Out))
		c.print(report, relative(page), stdio.Err)
	}
	errs = append(errs, c.write(report, stdio))
	if err := errors.Join(errs...); err != nil {
		code(err, stdio.Err)
		if exit == exitOK {
			exit = exitFailed
		}
	}
	if c.fails(report) {
		exit = exitFindings
	}
	if exit != exitOK {
		return exitStatus(exit)
	}
	return nil
}

// silence explains a run in which nothing was watched, and what to do.
func silence(r session.Result, argv []string) (msg, hint string) {
	if len(r.Left) > 0 {
		return "the command has ended, but processes it started still run: they are not watched any more",
			fmt.Sprintf("Start the training so that it stays in the foreground. They are %s.", numbers(r.Left))
	}
	if len(r.Notes) > 0 {
		return "the probe could not record: " + r.Notes[0], "Name a directory with room for the recording with --dir."
	}
	switch r.Contact {
	case session.Nested:
		return "the command starts a torchleak of its own, which watched the training instead", "Its report counts; leave one of the two out."
	case session.NoProbe:
		return "the probe was not loaded, nothing was watched",
			"It comes in through PYTHONPATH: python -I, -E and -S, and programs that are not Python, leave it out. Start the training without these."
	case session.NoTorch:
		if r.Exit != 0 {
			return fmt.Sprintf("the command ended with status %d before it imported torch", r.Exit), "Its own messages are above."
		}
		return "the command never imported torch, nothing was watched",
			fmt.Sprintf("Is this the Python of the training? Try: %s -c 'import torch'", argv[0])
	}
	if r.Exit != 0 {
		return fmt.Sprintf("the command ended with status %d before its first step", r.Exit), "Its own messages are above."
	}
	return "torch was imported, but no step was seen",
		"A step is an optimizer step, a backward pass, a module's forward or a loader's batch; `import torchleak; torchleak.step()` marks one by hand."
}

// numbers lists processes, the first few of many.
func numbers(pids []int) string {
	const most = 5
	var b strings.Builder
	for i, pid := range pids {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(pids)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "process %d", pid)
	}
	return b.String()
}

func relative(path string) string {
	if cwd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(cwd, path); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
	}
	return path
}
