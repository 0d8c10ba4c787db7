package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/torchleak/torchleak/internal/profile"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/report/profiling"
	"github.com/torchleak/torchleak/internal/session"
)

type profileCommand struct {
	tables
	HTML       string `name:"html" output:"" placeholder:"FILE" help:"Draw it as one offline HTML page: memory over the steps, what the peak consists of."`
	Pprof      string `output:"" placeholder:"FILE" help:"Write the profile for pprof."`
	Speedscope string `output:"" placeholder:"FILE" help:"Write the peak for speedscope."`
	Perfetto   string `output:"" placeholder:"FILE" help:"Write a time line for Perfetto: operators, and live memory by category."`
	CSV        string `name:"csv" output:"" placeholder:"FILE" help:"Write the profile as a table."`

	Steps   int64         `default:"3" fromone:"" placeholder:"N" help:"Look at N steps (3)."`
	Warmup  int64         `default:"3" fromone:"" placeholder:"N" help:"Steps before them (3): in the first ones optimizers make their state."`
	GoOn    bool          `help:"Let the training go on behind the steps, and report when it has ended. Default: stop it."`
	Timeout time.Duration `default:"30m" help:"Stop a training that has not made its steps after so long; 0 waits for ever."`
	Dir     string        `placeholder:"DIR" help:"Where the recording goes (default: .torchleak/<time>)."`
	Argv    []string      `arg:"" optional:"" passthrough:"" name:"command" help:"The training: -- python train.py …"`
}

// Help is shown below the usage.
func (profileCommand) Help() string {
	return "Looks at a few steps of the training in full: what the peak consists of by category, operator, line and module, and what it would be lower without. " +
		"The training runs slower in these steps, computes the same, and is stopped behind them. Exit status: 0 when there is a profile, 3 otherwise; with --go-on the training's own."
}

// Run profiles the training.
func (c *profileCommand) Run(stdio Stdio) error {
	argv, dir, err := prepare(c.Argv, c.Dir, c.Quiet, stdio)
	if err != nil {
		return err
	}
	result, err := c.watch(argv, dir, stdio)
	if err != nil {
		return err
	}
	if result.Removed {
		msg, hint := silence(result, argv)
		return &UserError{errors.New(msg), hint}
	}
	all, warnings := profile.Read(dir)
	for _, w := range warnings {
		fmt.Fprintln(stdio.Err, "torchleak:", w)
	}
	if len(all) == 0 {
		return c.none(result, argv)
	}
	if err := errors.Join(c.publish(all, argv, stdio), c.short(all, result)); err != nil {
		return err
	}
	if c.GoOn && result.Exit != exitOK {
		return exitStatus(result.Exit)
	}
	return nil
}

// watch runs the training to the end of the steps, or to its own.
func (c *profileCommand) watch(argv []string, dir recording.Dir, stdio Stdio) (session.Result, error) {
	environ, err := profile.Plan{Warmup: c.Warmup, Steps: c.Steps}.Write(dir)
	if err != nil {
		return session.Result{}, &UserError{err, "Name a directory with room for the recording with --dir."}
	}
	config := session.Config{Argv: argv, Dir: dir, CountersOnly: true, Environ: environ}
	if !c.GoOn {
		config.Steps, config.Timeout = c.Warmup+c.Steps, c.Timeout
	}
	return runSession(config, c.Quiet, c.Lang, stdio)
}

// none says why there is no profile.
func (c *profileCommand) none(r session.Result, argv []string) error {
	if r.Contact != session.Stepped {
		msg, hint := silence(r, argv)
		return &UserError{errors.New(msg), hint}
	}
	var seen int64
	for _, report := range r.Reports {
		seen = max(seen, report.Steps.Seen)
	}
	if seen > c.Warmup {
		return &UserError{errors.New("the steps were seen, but what was written of them could not be read"), "Is there room in the recording's directory? --dir names another."}
	}
	return &UserError{fmt.Errorf("the training ended with status %d after %d steps, and the profile begins after %d", r.Exit, seen, c.Warmup), "Begin earlier with --warmup, or give the training more steps."}
}

// short says that there are fewer steps than asked for; a training that failed in them leaves no full profile.
func (c *profileCommand) short(all []profile.Process, r session.Result) error {
	for _, p := range all {
		switch {
		case p.Complete:
		case r.Stopped == "" && r.Exit != 0:
			return &UserError{fmt.Errorf("the training ended by itself with status %d; the profile holds what was seen until then", r.Exit), "Its own messages are above."}
		case len(p.StepEnds) == 0:
			return &UserError{errors.New("the training ended before the first profiled step did"), "Begin earlier with --warmup, or give the training more steps."}
		}
	}
	return nil
}

// publish writes what was asked for. Standard output is the training's.
func (c *profileCommand) publish(all []profile.Process, argv []string, stdio Stdio) error {
	cwd, _ := os.Getwd()
	options := profiling.Options{Rows: c.Rows, Lang: c.Lang, Dir: cwd, Code: codeOf()}
	for _, f := range []struct {
		path string
		make func(io.Writer) error
	}{
		{c.HTML, func(w io.Writer) error { return profiling.WriteHTML(w, all, strings.Join(argv, " "), Version, options) }},
		{c.JSON, func(w io.Writer) error { return profiling.WriteJSON(w, all, tool(), argv) }},
		{c.Pprof, func(w io.Writer) error { return profiling.WritePprof(w, all) }},
		{c.Speedscope, func(w io.Writer) error { return profiling.WriteSpeedscope(w, all, tool()) }},
		{c.Perfetto, func(w io.Writer) error { return profiling.WritePerfetto(w, all) }},
		{c.CSV, func(w io.Writer) error { return profiling.WriteCSV(w, all) }},
	} {
		if f.path == "" {
			continue
		}
		if err := made(writeMade(f.path, stdio.Out, f.make)); err != nil {
			return err
		}
	}
	if c.Quiet {
		return nil
	}
	return profiling.WriteText(stdio.Err, all, options)
}

// codeOf reads lines of source files, each file once.
func codeOf() func(profile.Place) string {
	files := map[string]*pysyntax.File{}
	return func(at profile.Place) string {
		f, known := files[at.File]
		if !known {
			f, _ = pysyntax.ParseFile(at.File) // none is as good as one that cannot be read
			files[at.File] = f
		}
		if f == nil {
			return ""
		}
		return f.LineText(at.Line)
	}
}
