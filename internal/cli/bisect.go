package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/torchleak/torchleak/internal/bisect"
	"github.com/torchleak/torchleak/internal/experiment"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/units"
)

type bisectCommand struct {
	laboratory
	Runs  int   `default:"12" placeholder:"N" help:"Run the training at most so often, the first run included (12)."`
	Steps int64 `default:"200" placeholder:"N" help:"Steps of the first run (200); the others are as long as it takes to be sure."`
}

// laboratory is what commands that run a training several times share.
type laboratory struct {
	JSON    string        `name:"json" placeholder:"FILE" help:"Write the result as JSON (- for standard output)."`
	Dir     string        `placeholder:"DIR" help:"Where the recordings of the runs go (default: .torchleak/<time>)."`
	Timeout time.Duration `default:"10m" help:"Stop a run that has not made its steps after so long; 0 waits for ever."`
	Quiet   bool          `short:"q" help:"Say nothing but errors and the result."`
	Argv    []string      `arg:"" optional:"" passthrough:"" name:"command" help:"The training: -- python train.py …"`
}

// lab prepares the runs of a command.
func (c *laboratory) lab(stdio Stdio) (*experiment.Lab, error) {
	argv, dir, err := prepare(c.Argv, c.Dir, c.Quiet, stdio)
	if err != nil {
		return nil, err
	}
	return &experiment.Lab{Argv: argv, Dir: dir.Path, Tool: tool(), Timeout: c.Timeout}, nil
}

// Help is shown below the usage.
func (bisectCommand) Help() string {
	return "Runs the training several times for some steps, its output kept aside, with statements of its own files switched off in memory: the files stay as they are. " +
		"Ends with the smallest set of statements without which memory does not grow. Exit status: 0 when it was found or nothing grows, 3 otherwise."
}

// Run looks for the statements.
func (c *bisectCommand) Run(stdio Stdio) error {
	if c.Runs < 2 {
		return &usageError{fmt.Sprintf("--runs %d: at least two are needed, one as it is and one without a statement", c.Runs)}
	}
	if c.Steps < leastBisectSteps {
		return &usageError{fmt.Sprintf("--steps %d is too few to tell growth: at least %d are needed", c.Steps, leastBisectSteps)}
	}
	lab, err := c.lab(stdio)
	if err != nil {
		return err
	}
	began := time.Now()
	o := bisect.Options{Runs: c.Runs, Steps: c.Steps}
	if !c.Quiet {
		o.Progress = func(p bisect.Progress) { fmt.Fprintln(stdio.Err, "torchleak:", progressLine(p)) }
	}
	r, err := bisect.Find(lab, o)
	if err != nil {
		err = c.explain(r, err, stdio)
	} else {
		err = c.found(r, time.Since(began), stdio)
	}
	if c.JSON != "" {
		writing := writeMade(c.JSON, stdio.Out, r.WriteJSON)
		err = errors.Join(err, writing)
	}
	return err
}

const leastBisectSteps = 40

// explain says why there is no answer.
func (c *bisectCommand) explain(r bisect.Result, err error, stdio Stdio) error {
	steps := r.Base.Steps()
	switch {
	case errors.Is(err, bisect.ErrNoGrowth) && r.Report.Verdict == finding.Undecided:
		return &UserError{fmt.Errorf("%d steps are too few to tell whether memory grows", steps), "Give it more with --steps."}
	case errors.Is(err, bisect.ErrNoGrowth):
		fmt.Fprintf(stdio.Err, "torchleak: memory does not grow in %d steps (%s): there is nothing to look for\n", steps, r.Report.Verdict)
		return nil
	case errors.Is(err, bisect.ErrNoSteps):
		msg, hint := silence(r.Base.Result, c.Argv)
		return &UserError{fmt.Errorf("%s\n%s", msg, r.Base.Said(5)), hint}
	case errors.Is(err, bisect.ErrNothing):
		return &UserError{err, "Its code lies in installed packages, or is given on the command line; only files of one's own are taken apart."}
	}
	return err
}

// found prints the answer.
func (c *bisectCommand) found(r bisect.Result, took time.Duration, stdio Stdio) error {
	fmt.Fprintf(stdio.Err, "\ntorchleak bisect: %s in %s\n", units.Plural(len(r.Trials)+1, "run"), units.Seconds(took.Seconds()))
	if len(r.Found) == 0 {
		return &UserError{fmt.Errorf("%s grows by %s, whatever statement of the %d that run again and again is off",
			r.Growth.Curve.Memory, r.Growth.Amount(r.Growth.Rate), len(r.Statements)), "It may come from a library, or from statements that cannot be left out: the recorder's own findings are in `torchleak run`."}
	}
	verdict := "does not without"
	if !r.Proven {
		verdict = "was not seen to stop without each of"
	}
	fmt.Fprintf(stdio.Err, "  %s (%s) grows by %s, and %s:\n", r.Growth.Curve.Memory, r.Growth.Curve.Name, r.Growth.Amount(r.Growth.Rate), verdict)
	for _, s := range r.Found {
		fmt.Fprintf(stdio.Err, "  %s:%d   %s\n", relative(s.File), s.Shown(), bisect.Code(s))
	}
	with, without := r.Growth.Bars(r.CurveOff, r.Steps)
	fmt.Fprintf(stdio.Err, "  with      %s  %s\n", with, r.Growth.Amount(r.Growth.Rate))
	if r.Proven {
		fmt.Fprintf(stdio.Err, "  without   %s  %s\n", without, r.Growth.Amount(r.RateOff))
		return nil
	}
	return &UserError{errors.New("the runs were used up before the search had ended"), "Allow more with --runs."}
}

// progressLine says what the run before showed, and what the next is for.
func progressLine(p bisect.Progress) string {
	line := ""
	if p.Last != nil {
		switch {
		case !p.Last.Resolved:
			line = "it did not run on without them; "
		case p.Last.Gone():
			line = "the growth is gone; "
		default:
			line = fmt.Sprintf("%.0f %% of the growth is left; ", 100*p.Last.Left)
		}
	}
	what := "as it is"
	if n := len(p.Off); n > 0 {
		what = fmt.Sprintf("without %s (%s)", units.Plural(n, "statement"), places(p))
	}
	line += fmt.Sprintf("run %d of at most %d, %s %s", p.Run, p.Runs, units.Plural(int(p.Steps), "step"), what)
	if p.Left > 0 {
		line += fmt.Sprintf(", %s left at most", units.Seconds(p.Left.Seconds()))
	}
	return line
}

// places names the first few statements of a run.
func places(p bisect.Progress) string {
	const most = 3
	text := ""
	for i, s := range p.Off {
		if i == most {
			return text + ", …"
		}
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
	}
	return text
}
