package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/nvml"
	"github.com/torchleak/torchleak/internal/ranks"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/report/json"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/text"
	"github.com/torchleak/torchleak/internal/sentinel"
	"github.com/torchleak/torchleak/internal/session"
	"github.com/torchleak/torchleak/internal/units"
)

// watching is what commands that watch a training share: flags, what is said meanwhile, the reports.
type watching struct {
	output
	Warmup int64  `placeholder:"N" help:"Steps not to judge (default: found out)."`
	Dir    string `placeholder:"DIR" help:"Where the recording goes (default: .torchleak/<time>)."`
}

// training is what commands share that also start it.
type training struct {
	watching
	Argv []string `arg:"" optional:"" passthrough:"" name:"command" help:"The training: -- python train.py …"`
}

// watched is a training that has ended.
type watched struct {
	session.Result
	report finding.Report
	argv   []string
	dir    recording.Dir
	above  int // the nearest process over one attached to that has PyTorch and is no launcher; 0 where there is none
}

// beside is what goes on beside a watch where it is asked for.
type beside struct {
	alerts      *sentinel.Config // nil raises none
	remoteWrite string           // an address; empty sends nothing
}

// watch starts the training and watches it to its end, or stops it after so many steps or so long.
func (c *training) watch(steps int64, timeout time.Duration, also beside, stdio Stdio) (watched, error) {
	argv, dir, err := prepare(c.Argv, c.Dir, c.Quiet, stdio)
	if err != nil {
		return watched{}, err
	}
	said := map[string]bool{}
	config := session.Config{
		Argv: argv, Dir: dir, Steps: steps, Timeout: timeout,
		Options: analysis.Options{Warmup: c.Warmup},
		Found:   func(r finding.Report) { c.found(r, said, stdio.Err) },
		Status:  c.status(stdio.Err),
	}
	end, err := c.accompany(also, &config, stdio.Err)
	if err != nil {
		dir.Discard()
		return watched{}, err
	}
	gpus := nvml.New()
	defer gpus.Close()
	config.GPUs = gpus.GPUs
	result, err := runSession(config, c.Quiet, c.Lang, stdio)
	end()
	if err != nil {
		return watched{}, err
	}
	return watched{result, ranks.Merge(result.Reports, tool(), argv, &result.Exit), argv, dir, 0}, nil
}

// accompany starts what goes on beside the session, and returns what ends it.
func (c *training) accompany(also beside, config *session.Config, stderr io.Writer) (end func(), err error) {
	unguard, unsend := func() {}, func() {}
	if also.alerts != nil {
		if unguard, err = c.guard(*also.alerts, config, stderr); err != nil {
			return nil, err
		}
	}
	if also.remoteWrite != "" {
		if unsend, err = sendRecording(also.remoteWrite, config.Dir.Path, stderr); err != nil {
			unguard()
			return nil, err
		}
	}
	return func() { unguard(); unsend() }, nil
}

// runSession runs a session with what all commands that watch one run have in common: it says when the training is stopped,
// and what to do where it cannot be started.
func runSession(config session.Config, quiet bool, lang string, stdio Stdio) (session.Result, error) {
	// A reader of ours that goes away, as `head` does, must not take the training's watch with it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	config.Tool, config.Stdin, config.Stdout, config.Stderr = tool(), stdio.In, stdio.Out, stdio.Err
	config.Stopping = func(reason session.StopReason) {
		if quiet {
			return
		}
		say := phrase.In(lang)
		text := say.Say("stopping.steps", "steps", units.Count(config.Steps))
		if reason == session.StoppedByTimeout {
			text = say.Say("stopping.time", "time", config.Timeout.String())
		}
		fmt.Fprintln(stdio.Err, "torchleak:", text)
	}
	result, err := session.Run(config)
	switch {
	case errors.Is(err, session.ErrStart):
		return result, &UserError{err, unstarted(err)}
	case err != nil:
		return result, &UserError{err, "Name a directory with room for the recording with --dir."}
	}
	return result, nil
}

// prepare checks the command that is to be watched, and makes the directory of its recordings.
func prepare(args []string, path string, quiet bool, stdio Stdio) (argv []string, dir recording.Dir, err error) {
	if argv, err = target(args); err != nil {
		return nil, dir, err
	}
	if err := session.LookPath(argv[0]); err != nil {
		return nil, dir, &UserError{err, fmt.Sprintf("Is %q installed and on PATH? Give the command after --, e.g. torchleak run -- python train.py", argv[0])}
	}
	dir, err = record(path, quiet, stdio)
	return argv, dir, err
}

// record makes the directory of a recording.
func record(path string, quiet bool, stdio Stdio) (recording.Dir, error) {
	dir, warning, err := recording.Create(path, time.Now())
	if err != nil {
		return dir, &UserError{err, "Name a new directory with --dir, or one that is yours alone to write, where there is room."}
	}
	for _, text := range []string{warning, fewFiles()} {
		if text != "" && !quiet {
			fmt.Fprintln(stdio.Err, "torchleak:", text)
		}
	}
	return dir, nil
}

// tool is this program as reports name it.
func tool() finding.Tool { return finding.Tool{Name: "torchleak", Version: Version} }

// target is the command after --. kong hands on the -- itself, and what stands before it as if it were the command: an
// option unknown to us, or a stray word. None of them may pass.
func target(args []string) ([]string, error) {
	switch end := slices.Index(args, "--"); {
	case end == 0:
		args = args[1:]
	case len(args) > 0 && strings.HasPrefix(args[0], "-"):
		return nil, &usageError{fmt.Sprintf("unknown option %s; the training's command goes after --", args[0])}
	case end > 0:
		return nil, &usageError{fmt.Sprintf("%s stands before --, where only options do; the training's command goes after it: -- %s",
			quoted(args[:end]...), quoted(args[end+1:]...))}
	}
	if len(args) == 0 {
		return nil, &usageError{"no command given; the training's goes after --, as in: -- python train.py"}
	}
	return args, nil
}

// found says, while the training goes on, what was found; each finding once.
func (c *watching) found(r finding.Report, said map[string]bool, w *os.File) {
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
func (c *watching) status(w *os.File) func(memories []finding.Memory) {
	if c.Quiet || !isTerminal(w) {
		return nil
	}
	return func(memories []finding.Memory) {
		fmt.Fprintln(w, text.Live(memories, c.textOptions("", w)))
	}
}

// publish says what was seen and writes the reports.
func (c *watching) publish(w watched, stdio Stdio) error {
	for _, warning := range w.Warnings {
		if !c.Quiet {
			fmt.Fprintln(stdio.Err, "torchleak:", phrase.In(c.Lang).Words(warning))
		}
	}
	var errs []error
	shown := ""
	if w.Contact == session.Stepped && !w.Removed {
		page := w.dir.File("report.html")
		writeFixes(w.report, w.dir)
		errs = append(errs,
			writeReport(w.dir.File("report.json"), w.report, json.Write, stdio.Out),
			writeReport(page, w.report, c.page, stdio.Out))
		shown = relative(page)
	}
	if w.Contact == session.Stepped {
		c.print(w.report, shown, stdio.Err)
	}
	if w.Contact != session.Stepped || w.Removed {
		msg, hint := silence(w.Result, w.argv)
		if w.Contact == session.NoSteps && w.above != 0 {
			hint += " " + helper(w.above)
		}
		advise(msg, hint, stdio.Err, phrase.In(c.Lang))
	}
	return errors.Join(append(errs, c.write(w.report, stdio))...)
}

func relative(path string) string {
	if cwd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(cwd, path); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
	}
	return path
}
