package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/torchleak/torchleak/internal/experiment"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/report/diff"
	"github.com/torchleak/torchleak/internal/units"
	"github.com/torchleak/torchleak/internal/verify"
)

type verifyCommand struct {
	laboratory
	Patch string `required:"" placeholder:"FILE" help:"A unified diff, such as fix-1.patch of a recording."`
	Steps int64  `default:"200" placeholder:"N" help:"Steps of each run (200)."`
}

// Help is shown below the usage.
func (verifyCommand) Help() string {
	return "Runs the training as it is and with the patch, from the same seeds; the files stay as they are. " +
		"Exit status: 0 when memory grew, does not grow with the patch, and the losses are the same; 1 when not; 3 when it could not be told."
}

// Run proves the patch, or not.
func (c *verifyCommand) Run(stdio Stdio) error {
	text, err := os.ReadFile(c.Patch)
	if err != nil {
		return &UserError{err, "Name a patch with --patch."}
	}
	files, err := patched(string(text))
	if err != nil {
		return &UserError{fmt.Errorf("%s: %w", c.Patch, err), "Stand in the folder in which the patch applies."}
	}
	lab, err := c.lab(stdio)
	if err != nil {
		return err
	}
	b := bench(lab, c.Steps, c.Quiet, stdio)
	if err := b.Start(); err != nil {
		return unproven(b, err)
	}
	o, err := b.Try("with the patch", files)
	if err != nil {
		return err
	}
	sayOutcome(b, o, stdio.Err)
	if c.JSON != "" {
		if err := writeMade(c.JSON, stdio.Out, func(w io.Writer) error { return writeOutcome(w, b, o) }); err != nil {
			return err
		}
	}
	if !o.Holds() {
		fmt.Fprintf(stdio.Err, "torchleak: the patch does not hold: %s\n", o.Reason)
		return exitStatus(exitFindings)
	}
	fmt.Fprintln(stdio.Err, "torchleak: the patch holds: the growth is gone, the training is the same")
	return nil
}

// patched reads the files of a patch and makes what the patch makes of them.
func patched(text string) ([]verify.File, error) {
	p, ok := diff.NewPortable(text)
	if !ok {
		return nil, errors.New("it is no unified diff of files that are there")
	}
	var files []verify.File
	for _, path := range p.Paths {
		full := filepath.Join(p.Dir, path)
		st, err := os.Stat(full)
		if err != nil {
			return nil, err
		}
		if !st.Mode().IsRegular() || st.Size() > pysyntax.MaxSize {
			return nil, fmt.Errorf("%s is no source file", path)
		}
		before, err := os.ReadFile(full)
		if err != nil {
			return nil, err
		}
		after, err := diff.Apply(p.Text, path, before)
		if err != nil {
			return nil, err
		}
		files = append(files, verify.File{Path: full, Before: before, After: after})
	}
	return files, nil
}

func bench(lab *experiment.Lab, steps int64, quiet bool, stdio Stdio) *verify.Bench {
	b := &verify.Bench{Lab: lab, Steps: steps}
	if !quiet {
		b.Progress = func(what string) {
			fmt.Fprintf(stdio.Err, "torchleak: %s of the training %s\n", units.Plural(int(steps), "step"), what)
		}
	}
	return b
}

// unproven says why nothing can be proven.
func unproven(b *verify.Bench, err error) error {
	switch {
	case errors.Is(err, verify.ErrNoSteps):
		msg, hint := silence(b.Base.Result, b.Lab.Argv)
		return &UserError{fmt.Errorf("%s\n%s", msg, b.Base.Said(5)), hint}
	case errors.Is(err, verify.ErrNoGrowth):
		return &UserError{fmt.Errorf("memory does not grow in %d steps as it is (%s): no change can be proven to end that", b.Base.Steps(), b.Base.Report.Verdict), "Give it more steps with --steps, if it grows later."}
	case errors.Is(err, verify.ErrUndecided):
		return &UserError{fmt.Errorf("%d steps are too few to tell whether memory grows", b.Base.Steps()), "Give it more with --steps."}
	}
	return err
}

// sayOutcome draws both curves and says how the losses compare.
func sayOutcome(b *verify.Bench, o verify.Outcome, w io.Writer) {
	g := b.Growth
	before, after := g.Bars(o.Growth, g.To) // nothing of a run that broke
	fmt.Fprintf(w, "\n  %s (%s)\n  as it is   %s  %s\n", g.Curve.Memory, g.Curve.Name, before, g.Amount(g.Rate))
	if !o.Broke {
		fmt.Fprintf(w, "  changed    %s  %s\n  losses     %s\n", after, g.Amount(o.Rate), o.Losses)
	}
}

// writeOutcome writes the result for programs, docs/bisect.md.
func writeOutcome(w io.Writer, b *verify.Bench, o verify.Outcome) error {
	type losses struct {
		Compared int  `json:"compared"`
		Equal    int  `json:"equal"`
		Same     bool `json:"same"`
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Schema  int               `json:"schema"`
		Tool    finding.Tool      `json:"tool"`
		Target  finding.Target    `json:"target"`
		Grows   experiment.Series `json:"grows"`
		PerStep float64           `json:"per_step"`
		Changed float64           `json:"per_step_changed"`
		Gone    bool              `json:"gone"`
		Broke   bool              `json:"broke"`
		Losses  losses            `json:"losses"`
		Holds   bool              `json:"holds"`
		Reason  string            `json:"reason,omitempty"`
	}{finding.Schema, b.Lab.Tool, b.Base.Report.Target, b.Growth.Curve.Series, b.Growth.Rate, o.Rate, o.Gone, o.Broke,
		losses{o.Losses.Compared, o.Losses.Equal, o.Losses.Same()}, o.Holds(), o.Reason})
}

// lintedTraining takes the training's command off the arguments of lint --verify: everything else behind -- is a path.
func lintedTraining(args []string) (rest, training []string) {
	end := slices.Index(args, "--")
	if len(args) == 0 || args[0] != "lint" || end < 0 || !slices.Contains(args[:end], "--verify") {
		return args, nil
	}
	return args[:end], args[end+1:]
}
